/** A press as the page hears it: the browser's own event, or a framework's around it. */
export type Press = Event | { readonly nativeEvent: Event };

/** Whether a person made this event. */
export type Trusts = (event: Event) => boolean;

/**
 * True for a press by hand, by key or by an assistive technology just now; false for one that a script made
 * (`isTrusted`, and transient activation where the browser tells it: HTML standard, read 2026-11-30).
 */
export const isByPerson: Trusts = (event) =>
  event.isTrusted && (navigator.userActivation as UserActivation | undefined)?.isActive !== false;

/** The browser's own event of a press. */
export const eventOf = (press: Press): Event => ("nativeEvent" in press ? press.nativeEvent : press);

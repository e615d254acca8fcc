import type { ComponentType, JSX, MouseEventHandler, ReactElement, ReactNode } from "react";

type ButtonProps = {
  readonly children: ReactNode;
  /** Which kind of button it is. */
  readonly kind?: "text" | "confirm" | "save";
  /** Disabled, but still where the focus is. */
  readonly off?: boolean | undefined;
  /** What stands on it, with a turning ring, while what it does is under way. */
  readonly busy?: string | false | undefined;
  /** What is drawn in place of the native button. */
  readonly part?: ComponentType<JSX.IntrinsicElements["button"]> | undefined;
  readonly onClick: MouseEventHandler;
  readonly id?: string;
  readonly "aria-describedby"?: string | undefined;
  readonly "aria-expanded"?: boolean;
};

/** A button that says what happens. */
export const Button = ({ kind, off, busy, part, children, ...rest }: ButtonProps): ReactElement => {
  const Part = part ?? "button";
  return (
    <Part
      type="button"
      className={kind === "text" ? "cs-button-text" : kind ? `cs-button cs-button-${kind}` : "cs-button"}
      aria-disabled={off || undefined}
      // A key that is held down repeats its press; the press it repeats was meant for something else.
      onKeyDown={(event) => event.repeat && event.preventDefault()}
      {...rest}
    >
      {busy && <span className="cs-spinner" />}
      {busy || children}
    </Part>
  );
};

import type { ReactElement } from "react";
import type { Person } from "../bot/chat-log.ts";
import { nameOf } from "./names.ts";

type CustomerSwitchProps = {
  readonly conversationId: string;
  readonly person: Person | null;
  /** Who the conversation belongs to now, whoever this tab is. */
  readonly present: Person | null | undefined;
  onBecome(person: Person | null): Promise<void>;
};

const choices: readonly (readonly [Person | null, string])[] = [
  ["ana", "Ana"],
  ["ben", "Ben"],
  [null, "Signed out"],
];

/** Who this tab is, and the ways to another tab or conversation. */
export function CustomerSwitch({
  conversationId,
  person,
  present,
  onBecome,
}: CustomerSwitchProps): ReactElement {
  const away = present !== undefined && present !== person;
  return (
    <section aria-labelledby="customer-title">
      <h2 id="customer-title">Customer</h2>
      <fieldset className="segments" aria-labelledby="customer-title">
        {choices.map(([choice, label]) => (
          <button
            key={label}
            type="button"
            aria-pressed={choice === person && !away}
            onClick={() => {
              if (choice !== person || away) void onBecome(choice);
            }}
          >
            {label}
          </button>
        ))}
      </fieldset>
      <p className="hint">
        {away
          ? `This tab was ${nameOf(person)}. The conversation is now ${present === null ? "signed out" : `${nameOf(present)}'s`}.`
          : "The shop states who the customer is. A switch ends the card sessions of the one before."}
      </p>
      <p className="links">
        <a href={`/?c=${encodeURIComponent(conversationId)}`} target="_blank" rel="noopener">
          Open a fresh tab
        </a>
        <a href="/">New conversation</a>
      </p>
    </section>
  );
}

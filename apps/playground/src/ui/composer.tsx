import type { ReactElement } from "react";
import { useState } from "react";
import type { Person } from "../bot/chat-log.ts";

type ComposerProps = {
  readonly person: Person | null;
  readonly ended: boolean;
  onSay(text: string): Promise<void>;
};

function suggestions(person: Person | null): readonly (readonly [string, string])[] {
  const order = person === "ben" ? "B-2001" : "A-1042";
  return [
    ["Find order", `find order ${order}`],
    ["Cancel order", `cancel order ${order} because it arrives too late`],
    ["Change address", `change the address of ${order} to Calle Luna 5, Madrid, 28004`],
    ["Refund", `refund ${order}`],
    ["Book a day", `book a slot for ${order} on 2026-12-10`],
    ["Add a note", `add a note to ${order}: please ring twice`],
    ["Take the offer", `take the offer on ${order}`],
    ["Withdraw", "withdraw"],
    ["Help", "help"],
  ];
}

/** Where the customer writes, with sentences the assistant knows. */
export function Composer({ person, ended, onSay }: ComposerProps): ReactElement {
  const [text, setText] = useState("");
  const [problem, setProblem] = useState<string | null>(null);
  const [sending, setSending] = useState(false);
  const say = async (said: string): Promise<void> => {
    if (said.trim() === "" || sending || ended) return;
    setSending(true);
    setProblem(null);
    try {
      await onSay(said);
      setText("");
    } catch (error) {
      setProblem(error instanceof Error ? error.message : "The message was not sent.");
    } finally {
      setSending(false);
    }
  };
  return (
    <div className="composer">
      <ul className="chips" aria-label="Suggestions">
        {suggestions(person).map(([label, sentence]) => (
          <li key={label}>
            <button type="button" title={sentence} aria-disabled={ended} onClick={() => void say(sentence)}>
              {label}
            </button>
          </li>
        ))}
      </ul>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          void say(text);
        }}
      >
        <input
          aria-label="Message"
          placeholder={ended ? "This tab's session has ended" : "Write to the shop"}
          autoComplete="off"
          disabled={ended}
          value={text}
          onChange={(event) => setText(event.target.value)}
        />
        <button type="submit" disabled={ended}>
          Send
        </button>
      </form>
      {problem !== null && (
        <p className="problem" role="alert">
          {problem}
        </p>
      )}
    </div>
  );
}

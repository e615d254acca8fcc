import type { ThreadMessage } from "@countersign/chat-simulator";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import type { ReactElement } from "react";
import { useEffect, useRef, useState } from "react";
import type { Person } from "../../bot/chat-log.ts";
import type { AccountName } from "../../phones/accounts.ts";
import { backend } from "../backend.ts";
import { nameOf } from "../names.ts";
import { phonesBackend } from "./phones-backend.ts";
import { troubles } from "./troubles.ts";

type PhoneProps = {
  readonly conversationId: string;
  readonly account: AccountName;
  readonly title: string;
  readonly brand: "whatsapp" | "messenger" | "instagram";
};

function sentencesFor(order: string): readonly (readonly [string, string])[] {
  return [
    ["Cancel order", `cancel order ${order} because it arrives too late`],
    ["Change address", `change the address of ${order} to Calle Luna 5, Madrid, 28004`],
    ["Take the offer", `take the offer on ${order}`],
    ["Refund", `refund ${order}`],
  ];
}

/** A text with its addresses to tap on, as chats show them. */
function Linked({ text }: { readonly text: string }): ReactElement {
  const parts = text.split(/(https?:\/\/\S+)/);
  return (
    <bdi>
      {parts.map((part, index) =>
        index % 2 === 0 ? (
          part
        ) : (
          <a key={part} href={part} target="_blank" rel="noopener">
            {part}
          </a>
        ),
      )}
    </bdi>
  );
}

const statusWords: { readonly [status in ThreadMessage["status"]]?: string } = {
  failed: "Not delivered",
  not_taken: "Not taken by the shop",
};

function Bubble(props: { readonly message: ThreadMessage; onTap(button: number): void }): ReactElement {
  const { message, onTap } = props;
  const trouble = statusWords[message.status];
  return (
    <li className={`said by-${message.from} kind-${message.kind}`}>
      <p className="said-text">
        <Linked text={message.kind === "reaction" ? `Reacted with ${message.text}` : message.text} />
      </p>
      {message.buttons.length > 0 && (
        <div className="said-buttons">
          {message.buttons.map((label, index) => (
            <button key={label} type="button" onClick={() => onTap(index)}>
              {label}
            </button>
          ))}
        </div>
      )}
      {trouble !== undefined && <p className="said-status">{trouble}</p>}
    </li>
  );
}

/** One phone at the shop's chat, over a simulated platform. Reading and tapping is all that it can do, like a real one. */
export function Phone({ conversationId, account, title, brand }: PhoneProps): ReactElement {
  const queries = useQueryClient();
  const [text, setText] = useState("");
  const queryKey = ["phone", conversationId, account];
  const { data } = useQuery({
    queryKey,
    queryFn: () => phonesBackend.open(conversationId, account),
    refetchInterval: 500,
  });
  const refresh = (): Promise<void> => queries.invalidateQueries({ queryKey });
  const end = useRef<HTMLLIElement>(null);
  const count = data?.messages.length ?? 0;
  // biome-ignore lint/correctness/useExhaustiveDependencies: a new message is what moves the thread.
  useEffect(() => {
    end.current?.scrollIntoView({ block: "nearest" });
  }, [count]);

  const say = async (said: string): Promise<void> => {
    if (said.trim() === "") return;
    setText("");
    await phonesBackend.type(conversationId, said);
    await refresh();
  };
  const become = async (person: Person | null): Promise<void> => {
    await backend.signIn(conversationId, person);
    await refresh();
  };
  const other: Person = data?.person === "ben" ? "ana" : "ben";

  return (
    <section className={`phone ${brand}`} aria-label={title}>
      <header className="phone-top">
        <h2>{title}</h2>
        <p>Harbor Shop</p>
      </header>
      <ol className="said-list">
        {data?.messages.map((message) => (
          <Bubble
            key={message.id}
            message={message}
            onTap={(button) => {
              void phonesBackend.tap(conversationId, message.id, button).then(refresh);
            }}
          />
        ))}
        {count === 0 && <li className="hint">Write to the shop, or tap one of the suggestions below.</li>}
        <li ref={end} aria-hidden="true" className="said-end" />
      </ol>
      {data?.undelivered != null && (
        <p className="problem" role="status">
          The shop’s server could not show this here ({data.undelivered}). It waits on the website.
        </p>
      )}
      <ul className="chips" aria-label={`Suggestions for ${title}`}>
        {sentencesFor(data?.order ?? "A-1042").map(([label, sentence]) => (
          <li key={label}>
            <button
              type="button"
              title={sentence}
              disabled={data === undefined}
              onClick={() => void say(sentence)}
            >
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
          aria-label={`Message in ${title}`}
          placeholder="Message"
          autoComplete="off"
          disabled={data === undefined}
          value={text}
          onChange={(event) => setText(event.target.value)}
        />
        <button type="submit">Send</button>
      </form>
      <footer className="phone-behind">
        <label className="field">
          <span>The platform</span>
          <select
            defaultValue="0"
            onChange={(event) => {
              const chosen = troubles[Number(event.target.value)];
              if (chosen) void phonesBackend.setSwitches(account, chosen.switches);
            }}
          >
            {troubles.map(({ label }, index) => (
              <option key={label} value={index}>
                {label}
              </option>
            ))}
          </select>
        </label>
        <p className="links">
          <a href={`/?c=${encodeURIComponent(conversationId)}`} target="_blank" rel="noopener">
            The same on the website
          </a>
          <button type="button" onClick={() => void become(other)}>
            {data?.person === null ? "" : `${nameOf(data?.person ?? "ana")} is the customer. `}Make it{" "}
            {nameOf(other)}
          </button>
        </p>
      </footer>
    </section>
  );
}

import { useQuery } from "@tanstack/react-query";
import type { ReactElement } from "react";
import { useState } from "react";
import type { ChatWrite } from "../bot/chat-log.ts";
import type { CheckedJournal } from "./backend.ts";
import { backend } from "./backend.ts";
import { nameOf, stateText } from "./names.ts";

type Event = CheckedJournal["events"][number];

const clock = new Intl.DateTimeFormat("en-GB", { hour: "2-digit", minute: "2-digit", second: "2-digit" });

function whatText({ type, body }: Event): string {
  const { outcome, version, attempt } = body;
  if (typeof outcome === "string") return `${stateText(type)}: ${stateText(outcome)}`;
  if (type === "started" && typeof attempt === "number") return `started, attempt ${attempt}`;
  return typeof version === "number" ? `${stateText(type)}, version ${version}` : stateText(type);
}

function whoText({ by }: Event): string {
  const { kind, ref } = by;
  return kind === "agent" && typeof ref === "string" ? `agent ${ref}` : String(kind);
}

function Events({ journal }: { readonly journal: CheckedJournal }): ReactElement {
  return (
    <table>
      <thead>
        <tr>
          <th scope="col">#</th>
          <th scope="col">Event</th>
          <th scope="col">Who</th>
          <th scope="col">Time</th>
          <th scope="col">Hash</th>
        </tr>
      </thead>
      <tbody>
        {journal.events.map((event) => (
          <tr key={event.seq}>
            <td>{event.seq}</td>
            <td>{whatText(event)}</td>
            <td>{whoText(event)}</td>
            <td>
              <time dateTime={new Date(event.at).toISOString()}>{clock.format(event.at)}</time>
            </td>
            <td>
              <code title={event.hash}>{event.hash.slice(0, 6)}</code>
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

function Settle({ writeId }: { readonly writeId: string }): ReactElement {
  return (
    <div className="settle">
      <p className="hint">An operator who found out what happened can settle it:</p>
      <p className="links">
        <button type="button" onClick={() => void backend.resolve(writeId, "applied")}>
          It was applied
        </button>
        <button type="button" onClick={() => void backend.resolve(writeId, "not_applied")}>
          It was not applied
        </button>
      </p>
    </div>
  );
}

/** The journal of one write, as an operator of the shop reads it, live. */
export function Journal({ writes }: { readonly writes: readonly ChatWrite[] }): ReactElement {
  const [chosen, setChosen] = useState<string | null>(null);
  const newest = writes.at(-1)?.writeId;
  const writeId = writes.some((write) => write.writeId === chosen) ? (chosen as string) : newest;
  const state = writes.find((write) => write.writeId === writeId)?.state;
  const { data } = useQuery({
    queryKey: ["journal", writeId],
    queryFn: () => backend.journal(writeId ?? ""),
    enabled: writeId !== undefined,
    refetchInterval: 700,
  });
  return (
    <section aria-labelledby="journal-title" className="journal">
      <h2 id="journal-title">Journal</h2>
      {writeId === undefined ? (
        <p className="hint">
          Nothing was proposed yet. Ask the assistant to change something, and watch it here.
        </p>
      ) : (
        <>
          <label className="field">
            <span>Write</span>
            <select
              value={writeId}
              onChange={(event) => setChosen(event.target.value === newest ? null : event.target.value)}
            >
              {writes.toReversed().map((write) => (
                <option key={write.writeId} value={write.writeId}>
                  {write.title} for {nameOf(write.person)}: {stateText(write.state)}
                </option>
              ))}
            </select>
          </label>
          {data !== undefined && (
            <>
              <Events journal={data} />
              <p className={data.intact ? "chain" : "chain broken"}>
                {data.intact ? "Chain intact" : "Chain broken"}, head <code>{data.head.slice(0, 12)}</code>
              </p>
            </>
          )}
          <p className="hint reference">{writeId}</p>
          {(state === "unknown" || state === "pending") && <Settle writeId={writeId} />}
        </>
      )}
    </section>
  );
}

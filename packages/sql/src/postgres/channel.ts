import type { Cancel, Clock, StoreChange } from "@countersign/core";
import type { Client } from "pg";

/** Tells other processes of changes and hears of theirs, over one connection of its own. */
export type Channel = {
  /** Connects for the first time; rejects as the connection does. */
  open(): Promise<void>;
  /** Tells the other processes, soon and together with what else changes meanwhile; null: to look at everything. */
  tell(conversationIds: Iterable<string | null>): void;
  /** Says what is not yet said, and lets go. */
  close(): Promise<void>;
};

/** How long what changes is gathered before it is told, after something was told. */
const gatherMs = 25;

/** Between attempts to connect again: doubled from the first to the last, so that listeners hear within two seconds. */
const retryMs = { first: 50, last: 1_000 } as const;

/** How often an idle connection is asked whether it is there. */
const pingMs = 15_000;

/** The server takes payloads below 8000 bytes. */
const mostPayloadBytes = 7_900;

/** Beyond this many, others are told to look at everything. */
const mostPending = 10_000;

/** Ids as JSON arrays, each small enough for one notification. */
function payloadsOf(ids: Iterable<string>): readonly string[] {
  const payloads: string[] = [];
  let part: string[] = [];
  let bytes = 2;
  for (const id of ids) {
    const size = Buffer.byteLength(JSON.stringify(id)) + 1;
    if (size + 2 > mostPayloadBytes) return ["null"];
    if (bytes + size > mostPayloadBytes) {
      payloads.push(JSON.stringify(part));
      part = [];
      bytes = 2;
    }
    part.push(id);
    bytes += size;
  }
  if (part.length > 0) payloads.push(JSON.stringify(part));
  return payloads;
}

function idsOf(payload: string): readonly (string | null)[] {
  try {
    const ids: unknown = JSON.parse(payload);
    if (Array.isArray(ids) && ids.every((id) => typeof id === "string")) return ids;
  } catch {
    // Of another version, or of another program: whatever it says, something changed.
  }
  return [null];
}

/** `heard` is called for each conversation that another process changed, and without an id after anything may have been missed. */
export function channel(connect: () => Client, clock: Clock, heard: (change: StoreChange) => void): Channel {
  let client: Client | undefined;
  let ownPid: number | null = null;
  let pending = new Set<string>();
  let tooMany = false;
  let telling: Promise<void> | undefined;
  let cancelGather: Cancel | undefined;
  let cancelRetry: Cancel | undefined;
  let cancelPing: Cancel | undefined;
  let waitMs: number = retryMs.first;
  let closed = false;

  async function open(): Promise<void> {
    const made = connect();
    // Without a listener, a connection that breaks would end the process.
    made.on("error", () => lose(made));
    made.on("end", () => lose(made));
    made.on("notification", ({ channel: name, payload, processId }) => {
      if (name !== "countersign" || processId === ownPid) return;
      for (const conversationId of idsOf(payload ?? "")) heard({ conversationId });
    });
    try {
      await made.connect();
      // Telling changes nothing that could be lost, so it waits for no disk.
      await made.query("set synchronous_commit = off; listen countersign");
      const { rows } = await made.query<{ readonly pid: number }>("select pg_backend_pid() as pid");
      ownPid = rows[0]?.pid ?? null;
    } catch (error) {
      made.end().catch(() => undefined);
      throw error;
    }
    if (closed) {
      await made.end();
      return;
    }
    client = made;
    waitMs = retryMs.first;
    ping();
  }

  function lose(lost: Client): void {
    if (client !== lost) return;
    client = undefined;
    cancelPing?.();
    lost.end().catch(() => undefined);
    reconnect(0);
  }

  function reconnect(delayMs: number): void {
    if (closed) return;
    cancelRetry = clock.after(delayMs, () => {
      open().then(
        () => {
          heard({ conversationId: null });
          flush();
        },
        () => {
          // Not all processes at the same moment.
          const next = waitMs * (0.75 + Math.random() / 4);
          waitMs = Math.min(retryMs.last, waitMs * 2);
          reconnect(next);
        },
      );
    });
  }

  function ping(): void {
    const asked = client;
    cancelPing = clock.after(pingMs, () => {
      if (asked === undefined || client !== asked) return;
      asked.query("select").then(
        () => {
          if (client === asked) ping();
        },
        () => lose(asked),
      );
    });
  }

  async function send(by: Client, payloads: readonly string[]): Promise<void> {
    await by.query({
      name: "countersign_notify",
      text: "select count(pg_notify('countersign', payload)) from unnest($1::text[]) as payload",
      values: [payloads],
    });
  }

  function flush(): void {
    if (client === undefined || telling !== undefined || cancelGather !== undefined) return;
    if (pending.size === 0 && !tooMany) return;
    const ids = pending;
    const payloads = tooMany ? ["null"] : payloadsOf(ids);
    pending = new Set();
    tooMany = false;
    telling = send(client, payloads)
      .catch(() => {
        // Told when the connection is back.
        for (const id of ids) pending.add(id);
      })
      .then(() => {
        telling = undefined;
        if (closed) return;
        cancelGather = clock.after(gatherMs, () => {
          cancelGather = undefined;
          flush();
        });
      });
  }

  return {
    open,
    tell(conversationIds) {
      for (const id of conversationIds) {
        if (id === null) tooMany = true;
        else pending.add(id);
      }
      if (pending.size > mostPending) {
        pending.clear();
        tooMany = true;
      }
      flush();
    },
    async close() {
      closed = true;
      cancelRetry?.();
      cancelPing?.();
      cancelGather?.();
      cancelGather = undefined;
      await telling;
      flush();
      await telling;
      const last = client;
      client = undefined;
      await last?.end().catch(() => undefined);
    },
  };
}

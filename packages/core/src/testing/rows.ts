import type {
  Append,
  ContactRow,
  ConversationRow,
  DeliveryRow,
  InboxRow,
  JournalRow,
  KeyRow,
  PlainRow,
  PromptRow,
  WriteAppend,
  WriteRow,
} from "../ports/store.ts";

/** An append of nothing at time 1000, with what a test cares about put in. */
export function appendOf(parts: Partial<Append>): Append {
  return { guards: [], conversations: [], writes: [], key: null, deliveries: [], now: 1_000, ...parts };
}

/** Event `seq` of a write; hashes are made up but tell events apart. */
export function journalRow(writeId: string, seq: number, parts: Partial<JournalRow> = {}): JournalRow {
  return {
    writeId,
    seq,
    at: 1_000 + seq,
    type: seq === 1 ? "proposed" : "edited",
    v: 1,
    by: '{"kind":"agent","ref":"bot"}',
    body: `{"step":${seq}}`,
    commits: `{"args":"${String(seq).padStart(64, "a")}"}`,
    prev: String(seq - 1).padStart(64, "0"),
    hash: String(seq).padStart(64, "0"),
    ...parts,
  };
}

/** What the commits of event `seq` commit to. */
export function plainRow(writeId: string, seq: number, parts: Partial<PlainRow> = {}): PlainRow {
  return {
    writeId,
    seq,
    salt: String(seq).padStart(32, "5"),
    args: '{"orderId":"o-1"}',
    card: '{"title":"Cancel order"}',
    plan: seq === 1 ? '{"targets":[]}' : null,
    outcome: null,
    idempotencyKey: seq === 1 ? `key of ${writeId}` : null,
    ...parts,
  };
}

/** A write that waits for its decision, after its first event. */
export function writeRow(id: string, conversationId: string, parts: Partial<WriteRow> = {}): WriteRow {
  return {
    id,
    conversationId,
    state: "proposed",
    version: 1,
    seq: 1,
    open: true,
    tool: "cancel_order",
    toolVersion: "1",
    epoch: 0,
    customerRef: null,
    agent: "bot",
    attention: false,
    dueAt: null,
    createdAt: 1_000,
    decidedAt: null,
    settledAt: null,
    ...parts,
  };
}

/** The first event of a new write. */
export function proposal(id: string, conversationId: string, parts: Partial<WriteRow> = {}): WriteAppend {
  return {
    row: writeRow(id, conversationId, parts),
    events: [journalRow(id, 1)],
    plains: [plainRow(id, 1)],
  };
}

/** The next event of a write that stands as `row`. */
export function nextStep(row: WriteRow, parts: Partial<WriteRow> = {}): WriteAppend {
  const seq = row.seq + 1;
  return { row: { ...row, ...parts, seq }, events: [journalRow(row.id, seq)], plains: [] };
}

/** A conversation at epoch 0 that nobody has said anything of. */
export function conversationRow(id: string, parts: Partial<ConversationRow> = {}): ConversationRow {
  return {
    id,
    epoch: 0,
    customerRef: null,
    level: null,
    authenticatedAt: null,
    channel: null,
    address: null,
    locale: null,
    timeZone: null,
    ...parts,
  };
}

/** A claimed key that is kept until 5000. */
export function keyRow(key: string, parts: Partial<KeyRow> = {}): KeyRow {
  return {
    scope: "bot",
    key,
    fingerprint: "f".repeat(64),
    writeId: null,
    answer: null,
    customerRef: null,
    keepUntil: 5_000,
    ...parts,
  };
}

/** A message due at 2000 that nobody has tried to send. */
export function deliveryRow(id: string, parts: Partial<DeliveryRow> = {}): DeliveryRow {
  return { id, kind: "receipt", writeId: null, body: '{"text":"Done"}', dueAt: 2_000, attempts: 0, ...parts };
}

/** A message from Ana. */
export function inboxRow(messageId: string, parts: Partial<InboxRow> = {}): InboxRow {
  return { account: "shop", messageId, receivedAt: 1_000, body: '{"text":"yes"}', ...parts };
}

/** A prompt of `wr_1` to Ana that the platform has not answered yet. */
export function promptRow(token: string, parts: Partial<PromptRow> = {}): PromptRow {
  return {
    token,
    writeId: "wr_1",
    version: 1,
    account: "shop",
    address: "555-0101",
    aliases: ["555-0101"],
    providerMessageId: null,
    status: "asked",
    ...parts,
  };
}

/** Ana, who wrote at 1000. */
export function contactRow(address: string, parts: Partial<ContactRow> = {}): ContactRow {
  return { account: "shop", address, userId: null, lastInboundAt: 1_000, ...parts };
}

import { IntegrityError } from "../../base/errors.ts";
import { type Command, rule } from "../../flow/machine.ts";
import type { Write } from "../../flow/write.ts";
import type { Sender } from "../../ports/channel.ts";
import type { ConversationRow } from "../../ports/store.ts";
import { appendSteps, load, type Step, stepOf } from "../handle.ts";
import { type Kernel, maxRounds } from "../kernel.ts";

const by = { kind: "system", ref: null } as const;

/** The conversation that lives in the chat of this sender. Other spellings of the number find it too, but never decide. */
export async function conversationOf(
  kernel: Kernel,
  account: string,
  { aliases, spellings, userId }: Sender,
): Promise<ConversationRow | undefined> {
  const known = userId === null ? [] : await kernel.store.listContacts(account, userId);
  const ids = new Set([...aliases, ...known.map(({ address }) => address), ...spellings]);
  for (const address of ids) {
    const conversation = await kernel.store.findConversationByAddress(account, address);
    if (conversation) return conversation;
  }
  return undefined;
}

/** Ends what waits in a conversation whose contact is somebody else now. */
function endOf(kernel: Kernel, open: Write): Step | undefined {
  const at = kernel.clock.now();
  const ends: readonly Command[] = [
    { type: "expire", at },
    { type: "endStepUp", at, salt: kernel.random.salt() },
    { type: "supersede", at, by, reason: "customer_changed" },
  ];
  for (const command of ends) {
    const ruling = rule(open, command);
    if (ruling.kind === "events") return stepOf(kernel, open.id, open, ruling.events);
  }
  return undefined;
}

/**
 * Takes a conversation out of the chat at this address: whoever is there now is not the customer that it was about. What
 * waits for a decision ends, and the host says anew who is where.
 */
export async function leaveChat(kernel: Kernel, account: string, address: string): Promise<void> {
  for (let round = 0; round < maxRounds; round += 1) {
    const row = await kernel.store.findConversationByAddress(account, address);
    if (!row) return;
    const { openWriteId } = await kernel.store.readConversation(row.id);
    const open = openWriteId === null ? undefined : await load(kernel, openWriteId);
    const step = open && endOf(kernel, open);
    const left: ConversationRow = {
      ...row,
      epoch: row.epoch + 1,
      customerRef: null,
      level: null,
      authenticatedAt: null,
      channel: null,
      address: null,
    };
    const result = await appendSteps(kernel, step ? [step] : [], {
      guards: [{ conversationId: row.id, epoch: row.epoch, row }],
      conversations: [left],
    });
    if (result.kind === "appended") return;
  }
  throw new IntegrityError(`a conversation in ${account}: gave up after ${maxRounds} lost races`);
}

/**
 * Keeps when somebody wrote and under which ids. A phone number that comes with another person's id than before has
 * changed hands: what lived at it ends first.
 */
export async function meetSender(
  kernel: Kernel,
  account: string,
  { aliases, userId }: Sender,
  at: number,
): Promise<void> {
  const { store } = kernel;
  let known = userId;
  for (const address of aliases) {
    const contact = await store.findContact(account, address);
    if (contact?.userId == null) continue;
    known ??= contact.userId;
    if (contact.userId !== known) await leaveChat(kernel, account, address);
  }
  await store.putContacts(aliases.map((address) => ({ account, address, userId: known, lastInboundAt: at })));
}

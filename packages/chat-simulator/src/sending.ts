import type { Hook } from "./courier.ts";
import type { Account, Chat, Outgoing, Refused, Told } from "./platform.ts";
import type { ApiAnswer, ApiRequest } from "./wire.ts";

/** How a request ends. Null: it is never answered. */
export type Ending = {
  readonly answer: ApiAnswer | "cut" | null;
  /** To be delivered first. */
  readonly before: readonly Hook[];
  /** To be delivered once it was answered. */
  readonly after: readonly Hook[];
};

const windowMs = 24 * 3_600_000;
const lateMs = 60_000;

function isClosed({ switches, clock }: Account, chat: Chat, message: Outgoing): boolean {
  const { window } = switches.now();
  if (message.template || window === "open") return false;
  if (window === "closed" || chat.lastHeardAt === null) return true;
  return clock.now() - chat.lastHeardAt >= windowMs;
}

function troubleOf(account: Account, chat: Chat | undefined, message: Outgoing): Refused | undefined {
  if (chat === undefined) return "unknown_receiver";
  return isClosed(account, chat, message) ? "window_closed" : undefined;
}

function show(
  account: Account,
  chat: Chat,
  message: Outgoing,
  id: string,
  failed: boolean,
): Hook | undefined {
  chat.sent.set(id, message);
  const shown = chat.thread.add({
    id,
    from: "business",
    kind: message.kind,
    text: message.text,
    buttons: message.buttons.map(({ label }) => label),
    about: null,
    at: account.clock.now(),
    status: failed ? "failed" : "delivered",
  });
  return failed ? undefined : account.platform.echo(shown, chat);
}

const there = (hooks: readonly (Hook | undefined)[]): readonly Hook[] =>
  hooks.filter((hook) => hook !== undefined);

/** The statuses of a message, split by when they go out. */
function timed(account: Account, hooks: readonly Hook[]): Pick<Ending, "before" | "after"> {
  switch (account.switches.now().statuses) {
    case "none":
      return { before: [], after: [] };
    case "before_answer":
      return { before: hooks, after: [] };
    case "reversed":
      return { before: [], after: hooks.toReversed() };
    case "late":
      account.clock.after(lateMs, () => hooks.forEach(account.courier.deliver));
      return { before: [], after: [] };
    default:
      return { before: [], after: hooks };
  }
}

function send(account: Account, message: Outgoing): Ending {
  const { platform, switches } = account;
  const chat = account.chats.get(platform.chatIdOf(message.to));
  const trouble = troubleOf(account, chat, message);
  const isLate = platform.failsLater && switches.now().refusals === "later";
  if (trouble !== undefined && !isLate) {
    return { answer: platform.answerTo(trouble), before: [], after: [] };
  }
  const failed = trouble ?? (switches.take("failLater") ? "undeliverable" : undefined);
  const id = platform.newId("business");
  const echo = chat && show(account, chat, message, id, failed !== undefined);
  const told: readonly Told[] =
    failed === undefined
      ? [{ status: "sent" }, { status: "delivered" }]
      : [{ status: "failed", why: failed }];
  const { before, after } = timed(account, there(told.map((one) => platform.told(one, id, message, chat))));
  const isSilent = switches.take("silent");
  const isCut = !isSilent && switches.take("cut");
  const answer = isSilent ? null : isCut ? "cut" : platform.accepted(message, id, chat);
  return { answer, before, after: [...there([echo]), ...after] };
}

/** Treats one request to an account's API as its switches say. */
export function treat(account: Account, request: ApiRequest): Ending {
  const { platform, switches } = account;
  const only = (answer: ApiAnswer): Ending => ({ answer, before: [], after: [] });
  if (switches.take("broken")) return only(platform.answerTo("broken"));
  const refused = platform.refused(request);
  if (refused) return only(refused);
  if (switches.take("busy")) return only(platform.answerTo("busy"));
  const read = platform.read(request);
  return "answer" in read ? only(read.answer) : send(account, read.send);
}

import type { FrozenCard, Receipt } from "../card/model.ts";
import type {
  Channel,
  InboundEvent,
  InboundRequest,
  OutboundMessage,
  Prompt,
  PromptTime,
} from "../ports/channel.ts";
import { type PromptTokens, parsePromptToken } from "../ports/prompt-token.ts";
import type { ChannelSubject, CustomerAct, PlatformAnswer } from "./channel-contract/case.ts";

const promptLimit = 900;
const textLimit = 4000;

/** A message that arrived on paper. */
export type PaperMessage = { readonly to: string; readonly message: OutboundMessage };

/** A channel without a platform, for tests: what is sent is kept, what comes in is made by hand. */
export type PaperChannel = ChannelSubject & { readonly sent: readonly PaperMessage[] };

function partsOf(text: string): readonly [OutboundMessage, ...OutboundMessage[]] {
  const parts = text.match(new RegExp(`[^]{1,${textLimit}}`, "g")) ?? [text];
  const [first = text, ...rest] = parts.map((part) => part);
  const message = (part: string): OutboundMessage => ({ kind: "text", text: part, body: { text: part } });
  return [message(first), ...rest.map(message)];
}

function linesOf(card: FrozenCard): { readonly whole: readonly string[]; readonly short: readonly string[] } {
  const fields = card.fields.map(({ label, display, format }) => ({ line: `${label}: ${display}`, format }));
  const effects = card.effects.map(
    ({ label, before, after, tolerance = "" }) => `${label}: ${before} → ${after} ${tolerance}`,
  );
  const ends = [...effects, ...card.warnings, `${card.confirmLabel} | ${card.declineLabel}`];
  const amounts = fields.filter(({ format }) => format === "money").map(({ line }) => line);
  return {
    whole: [
      card.title,
      card.description ?? "",
      ...fields.map(({ line }) => line),
      ...card.details.map(({ label, display }) => `${label}: ${display}`),
      ...ends,
    ].map((line) => line.replaceAll("\n", "⟦↵⟧")),
    short: [card.title, ...amounts, ...ends],
  };
}

function renderPrompt(card: FrozenCard, tokens: PromptTokens, { reviewUrl }: PromptTime): Prompt {
  const labels = [card.confirmLabel.trim(), card.declineLabel.trim()];
  const length = Math.max(card.confirmLabel.length, card.declineLabel.length);
  if (length > 20 || new Set(["", ...labels]).size < 3) {
    return { kind: "confirmation_too_long", part: "label", limit: 20, length, unit: "characters" };
  }
  const lines = linesOf(card);
  const link = reviewUrl === undefined ? [] : [reviewUrl];
  const whole = [...lines.whole, ...link];
  const short = [...lines.short, ...link];
  const prompt = (text: string): OutboundMessage => ({ kind: "prompt", text, body: { text, ...tokens } });
  if (whole.join("\n").length <= promptLimit)
    return { kind: "messages", messages: [prompt(whole.join("\n"))] };
  const text = short.join("\n");
  const over = { kind: "confirmation_too_long", limit: promptLimit, unit: "characters" } as const;
  if (text.length > promptLimit) return { ...over, part: "prompt", length: text.length };
  const details = partsOf(whole.join("\n"));
  if (details.length > 1) {
    return { ...over, part: "details", limit: 1, length: details.length, unit: "messages" };
  }
  return { kind: "messages", messages: [...details, prompt(text)] };
}

function tellText(said: string | Receipt): string {
  if (typeof said === "string") return said;
  const rows = said.fields.map(({ label, display }) => `${label}: ${display}`);
  return [said.title, said.message ?? "", ...rows, said.reference].join("\n");
}

function eventOf(act: CustomerAct): InboundEvent {
  const sender = { address: act.from, aliases: [act.from], spellings: [], phone: null, userId: act.from };
  const happened = { messageId: act.messageId, at: null, sender, providerMessageId: null };
  if (act.type === "text") return { type: "message", ...happened, text: act.text };
  const { payload, label } = act;
  return { type: "tap", ...happened, token: parsePromptToken(payload) ? payload : null, payload, label };
}

function signatureOf(body: Uint8Array): string {
  return `paper ${body.reduce((sum, byte) => (sum * 31 + byte) % 1_000_000_007, 7)}`;
}

async function ended(signal: AbortSignal | undefined): Promise<void> {
  await new Promise<void>((resolve) => {
    signal?.addEventListener("abort", () => resolve(), { once: true });
  });
}

/** Opens a channel on paper. It proves nothing about any platform. */
export function paperChannel(): PaperChannel {
  const sent: PaperMessage[] = [];
  let how: PlatformAnswer = "sent";
  let tell: () => void = () => undefined;
  let asked: Promise<void> = Promise.resolve();
  const failure = { code: null, detail: null, waitMs: null, tries: null, alert: false };
  const channel: Channel = {
    kind: "whatsapp",
    prompt: (card, tokens, time) =>
      time.window === "closed" ? { kind: "window_closed" } : renderPrompt(card, tokens, time),
    tell: (said) => partsOf(tellText(said)),
    read(request) {
      const answer = { contentType: "text/plain", body: "" };
      if (request.method !== "POST" || request.header("x-paper-signature") !== signatureOf(request.body)) {
        return {
          kind: "refused",
          reason: "signature",
          hint: "not on paper",
          answer: { ...answer, status: 401 },
        };
      }
      const act = JSON.parse(new TextDecoder().decode(request.body)) as CustomerAct;
      return { kind: "events", events: [eventOf(act)], ignored: {}, answer: { ...answer, status: 200 } };
    },
    async send(to, message, context) {
      tell();
      if (!/^\d+$/.test(to)) return { kind: "failed", failure: { ...failure, class: "undeliverable" } };
      if (how === "busy") return { kind: "failed", failure: { ...failure, class: "retry_later" } };
      if (how === "window_closed") return { kind: "failed", failure: { ...failure, class: "window_closed" } };
      if (how === "silent") await ended(context.signal);
      if (how !== "sent") return { kind: "unknown", detail: "no answer" };
      sent.push({ to, message });
      return { kind: "sent", providerMessageId: `paper-${sent.length}`, aliases: [to] };
    },
    async check({ signal }) {
      tell();
      if (how === "sent") return [];
      if (how === "silent") await ended(signal);
      return [{ what: "the paper did not answer", where: "the desk", next: "look for it" }];
    },
  };
  return {
    channel,
    sent,
    customer: "7001001",
    stranger: "7001002",
    inbound(act): InboundRequest {
      const body = new TextEncoder().encode(JSON.stringify(act));
      const signature = signatureOf(body);
      const header = (name: string): string | null =>
        name.toLowerCase() === "x-paper-signature" ? signature : null;
      return { method: "POST", target: "/v1/channels/paper/webhook", header, body };
    },
    answer(next) {
      how = next;
      asked = new Promise((resolve) => {
        tell = resolve;
      });
    },
    asked: () => asked,
  };
}

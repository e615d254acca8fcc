import type { InboundRequest, WebhookAnswer } from "../../ports/channel.ts";
import type { PromptTokens } from "../../ports/prompt-token.ts";
import type { CustomerAct } from "../../testing/channel-contract/case.ts";
import { type PaperChannel, type PaperMessage, paperChannel } from "../../testing/paper-channel.ts";
import type { CardSession } from "../engine.ts";
import { call, granted, makeScene, type Scene, signIn, writeIn } from "../fixtures.ts";
import type { ChatMessage } from "./message.ts";

/** A scene whose conversation c-1 lives in a chat on paper. */
export type ChatScene = Scene & {
  readonly paper: PaperChannel;
  readonly session: CardSession;
  /** What the bot was handed. */
  readonly messages: ChatMessage[];
  /** The texts that Ana has got so far. */
  texts(): readonly string[];
  /** The latest prompt; throws where there is none. */
  prompt(): PaperMessage & { readonly tokens: PromptTokens };
  /** Hands a webhook to the engine, and does what follows from it. */
  deliver(request: InboundRequest): Promise<WebhookAnswer>;
  act(act: CustomerAct): Promise<WebhookAnswer>;
  tap(
    payload: string,
    rest?: { readonly from?: string; readonly messageId?: string },
  ): Promise<WebhookAnswer>;
  type(text: string, rest?: { readonly from?: string; readonly messageId?: string }): Promise<WebhookAnswer>;
};

export const account = "shop_wa";

/** Ana is signed in and in the chat; nothing is proposed yet. */
export async function chatScene(options: Parameters<typeof makeScene>[0] = {}): Promise<ChatScene> {
  const paper = paperChannel();
  const messages: ChatMessage[] = [];
  const scene = makeScene({
    channels: { [account]: paper.channel },
    onMessage: (message) => void messages.push(message),
    ...options,
  });
  const session = await signIn(scene);
  granted(
    await scene.engine.host.setContact({ conversationId: "c-1", channel: account, address: paper.customer }),
  );
  let count = 0;
  const nextId = (): string => {
    count += 1;
    return `in-${count}`;
  };
  const chat: ChatScene = Object.assign(scene, {
    paper,
    session,
    messages,
    texts: () => paper.sent.map(({ message }) => message.text),
    prompt() {
      const last = paper.sent.findLast(({ message }) => message.kind === "prompt");
      if (!last) throw new Error("no prompt was sent");
      const { confirm, decline } = last.message.body as unknown as PromptTokens;
      return { ...last, tokens: { confirm, decline } };
    },
    async deliver(request: InboundRequest) {
      const answer = granted(await scene.engine.receiveWebhook(account, request));
      await scene.engine.runDue();
      return answer as WebhookAnswer;
    },
    act: (act: CustomerAct) => chat.deliver(paper.inbound(act)),
    tap: (payload: string, { from = paper.customer, messageId = nextId() } = {}) =>
      chat.act({ type: "tap", from, messageId, payload, label: "Cancel order" }),
    type: (text: string, { from = paper.customer, messageId = nextId() } = {}) =>
      chat.act({ type: "text", from, messageId, text }),
  });
  return chat;
}

/** Ana's bot has proposed to cancel A-1042, and the prompt is in her chat. */
export async function asked(
  options: Parameters<typeof makeScene>[0] = {},
): Promise<{ readonly chat: ChatScene; readonly writeId: string }> {
  const chat = await chatScene(options);
  const { id } = writeIn(await call(chat));
  await chat.engine.runDue();
  return { chat, writeId: id };
}

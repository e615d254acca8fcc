import type { InboundEvent, Sender } from "../../ports/channel.ts";
import { type PaperChannel, paperChannel } from "../../testing/paper-channel.ts";
import { makeScene, type Scene, signIn } from "../fixtures.ts";
import { account } from "./fixtures.ts";

/** A scene with a chat whose platform says what a test wants. */
export type RawChat = Scene & {
  readonly paper: PaperChannel;
  /** The tokens of the latest prompt. */
  tokens(): { readonly [decision: string]: unknown };
  hear(...events: readonly InboundEvent[]): Promise<void>;
};

/** A chat in which the platform's events are given as they are. */
export async function rawChat(
  address: string,
  { named }: { readonly named?: string } = {},
): Promise<RawChat> {
  const paper = paperChannel();
  const answer = { status: 200, contentType: "text/plain", body: "" };
  const channel = {
    ...paper.channel,
    read: ({ body }: { readonly body: Uint8Array }) => {
      const events: readonly InboundEvent[] = JSON.parse(new TextDecoder().decode(body));
      return { kind: "events", events, ignored: {}, answer } as const;
    },
    async send(...given: Parameters<typeof paper.channel.send>) {
      const result = await paper.channel.send(...given);
      return result.kind === "sent" && named !== undefined
        ? { ...result, aliases: [...result.aliases, named] }
        : result;
    },
  };
  const scene = makeScene({ channels: { [account]: channel } });
  await signIn(scene);
  await scene.engine.host.setContact({ conversationId: "c-1", channel: account, address });
  return Object.assign(scene, {
    paper,
    tokens: () => paper.sent.findLast(({ message }) => message.kind === "prompt")?.message.body ?? {},
    async hear(...events: readonly InboundEvent[]) {
      const body = new TextEncoder().encode(JSON.stringify(events));
      await scene.engine.receiveWebhook(account, { method: "POST", target: "/", header: () => null, body });
      await scene.engine.runDue();
    },
  });
}

/** Somebody with these ids. */
export function sender(phone: string | null, userId: string | null): Sender {
  const aliases = [phone, userId].filter((id) => id !== null);
  return { address: aliases[0] ?? "", aliases, spellings: [], phone, userId };
}

/** A text of somebody. */
export const text = (messageId: string, from: Sender): InboundEvent => ({
  type: "message",
  messageId,
  at: null,
  sender: from,
  text: "hello",
  providerMessageId: null,
});

/** A tap of somebody on one of our buttons. */
export const tapOf = (messageId: string, from: Sender, token: string): InboundEvent => ({
  type: "tap",
  messageId,
  at: null,
  sender: from,
  token,
  payload: token,
  label: null,
  providerMessageId: null,
});

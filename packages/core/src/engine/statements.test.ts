import { expect, test } from "vitest";
import { memoryStore } from "../memory/store.ts";
import type { Store } from "../ports/store.ts";
import { makeScene, signIn } from "./fixtures.ts";

/** A store that does `first` right before the next append. */
function interrupted(store: Store, first: () => Promise<unknown>): Store {
  let armed = true;
  return {
    ...store,
    async append(append) {
      const now = armed;
      armed = false;
      if (now) await first();
      return store.append(append);
    },
  };
}

test("ID-10 a session's new language and the same customer's next sign-in both count, whichever is first", async () => {
  for (const sessionFirst of [true, false]) {
    const inner = memoryStore();
    const scene = makeScene({ store: inner });
    await signIn(scene);
    const place = { conversationId: "c-1", locale: "de", timeZone: "Europe/Vienna" };
    const verified = {
      conversationId: "c-1",
      customerId: "cus_ana",
      level: "high",
      authenticatedAt: scene.clock.now() + 1,
    } as const;
    const session = ({ engine }: Pick<typeof scene, "engine">) => engine.host.startSession(place);
    const signInAgain = ({ engine }: Pick<typeof scene, "engine">) => engine.host.customerVerified(verified);
    const rival = makeScene({
      store: interrupted(inner, () => (sessionFirst ? session(scene) : signInAgain(scene))),
    });
    await (sessionFirst ? signInAgain(rival) : session(rival));
    const { conversation } = await inner.readConversation("c-1");
    expect(conversation).toEqual({
      id: "c-1",
      epoch: 1,
      customerRef: expect.stringMatching(/^cu_/),
      level: "high",
      authenticatedAt: verified.authenticatedAt,
      channel: null,
      address: null,
      locale: "de",
      timeZone: "Europe/Vienna",
    });
  }
});

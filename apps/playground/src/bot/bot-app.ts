import { Hono } from "hono";
import { z } from "zod";
import type { Assistant } from "./assistant.ts";
import type { Chat, ChatLine, ChatLog, ChatWrite, Person } from "./chat-log.ts";
import { people } from "./chat-log.ts";
import type { CountersignApi } from "./countersign-api.ts";
import { journalIntact } from "./journal-proof.ts";
import type { ShopDesk } from "./shop-desk.ts";

/** A conversation as a tab sees it: who is signed in now, and the lines that are this tab's person's. */
export type ChatView = {
  readonly person: Person | null;
  readonly lines: readonly ChatLine[];
  readonly writes: readonly ChatWrite[];
};

const conversationId = z.string().regex(/^[A-Za-z0-9._:-]{1,200}$/);
const person = z.enum(["ana", "ben"]).nullable();
const bodies = {
  open: z.strictObject({ conversationId }),
  customer: z.strictObject({ conversationId, person }),
  session: z.strictObject({
    conversationId,
    as: person,
    locale: z.string().optional(),
    timeZone: z.string().optional(),
  }),
  message: z.strictObject({ conversationId, as: person, text: z.string().trim().min(1).max(2000) }),
  behaviour: z.looseObject({ conversationId }),
  resolve: z.strictObject({ writeId: z.string(), outcome: z.enum(["applied", "not_applied"]) }),
  order: z.strictObject({ person: z.enum(["ana", "ben"]) }),
};

const problem = (status: number, code: string, detail: string): Response =>
  Response.json({ code, detail }, { status });

function viewOf(chat: Chat, as: Person | null): ChatView {
  return {
    person: chat.person,
    lines: chat.lines.filter((line) => line.person === as),
    writes: chat.writes,
  };
}

/** The shop's own backend: what a page of the shop calls. It holds the keys; a browser never sees them. */
export function createBotApp(options: {
  readonly api: CountersignApi;
  readonly log: ChatLog;
  readonly assistant: Assistant;
  readonly desk: ShopDesk;
}): Hono {
  const { api, log, assistant, desk } = options;
  const app = new Hono();

  // A foreign page cannot send this type without asking first, and nobody answers that question.
  app.use(async (c, next) => {
    const changes = c.req.method !== "GET";
    if (changes && c.req.header("content-type") !== "application/json") {
      return problem(415, "unsupported_media_type", "Send application/json.");
    }
    await next();
  });
  app.onError((error) => {
    if (error instanceof z.ZodError || error instanceof SyntaxError) {
      return problem(422, "invalid_request", "A member is missing or of another type.");
    }
    console.error(error);
    return problem(500, "broken", "The playground's backend failed. See its log.");
  });

  async function signIn(chat: Chat, to: Person): Promise<void> {
    await api.stateCustomer(chat.id, people[to].customerId);
    chat.person = to;
    log.say(chat, "notice", to, `Signed in as ${people[to].name}.`);
  }

  const opening = new Map<string, Promise<void>>();
  app.post("/conversations", async (c) => {
    const { conversationId: id } = bodies.open.parse(await c.req.json());
    // Two tabs may open the same new conversation at once: only the first signs Ana in.
    if (log.find(id) === undefined) opening.set(id, signIn(log.open(id), "ana"));
    await opening.get(id);
    opening.delete(id);
    return c.json({ person: log.open(id).person });
  });
  app.get("/conversations/:id", (c) => {
    const chat = log.find(c.req.param("id"));
    if (chat === undefined) return problem(404, "not_found", "Open the conversation first.");
    const as = c.req.query("as");
    return c.json(viewOf(chat, as === "ana" || as === "ben" ? as : null));
  });

  app.post("/customer", async (c) => {
    const { conversationId: id, person: to } = bodies.customer.parse(await c.req.json());
    const chat = log.open(id);
    if (to !== null) await signIn(chat, to);
    else {
      await api.signOut(id);
      chat.person = null;
      log.say(chat, "notice", null, "Signed out.");
    }
    return c.json({ person: chat.person });
  });

  app.post("/session", async (c) => {
    const { conversationId: id, as, ...place } = bodies.session.parse(await c.req.json());
    const chat = log.open(id);
    if (chat.person !== as) {
      const code = chat.person === null ? "signed_out" : "customer_changed";
      return problem(409, code, "This tab's customer is no longer signed in here.");
    }
    return c.json(await api.startSession(id, place), 201);
  });

  app.post("/messages", async (c) => {
    const { conversationId: id, as, text } = bodies.message.parse(await c.req.json());
    const chat = log.open(id);
    if (chat.person !== as)
      return problem(409, "customer_changed", "This tab's customer is no longer signed in here.");
    await assistant.hear(chat, as, text);
    return c.json(viewOf(chat, as));
  });

  app.get("/journal", async (c) => {
    const journal = await api.journal(c.req.query("writeId") ?? "");
    if (journal === undefined) return problem(404, "not_found", "There is no such write.");
    return c.json({ ...journal, intact: journalIntact(journal) });
  });

  app.post("/resolve", async (c) => {
    const { writeId, outcome } = bodies.resolve.parse(await c.req.json());
    return c.json({ resolved: await api.resolve(writeId, outcome) });
  });

  app.get("/shop/behaviour", async (c) => c.json(await desk.behaviour(c.req.query("conversationId") ?? "")));
  app.put("/shop/behaviour", async (c) => {
    const { conversationId: id, ...behaviour } = bodies.behaviour.parse(await c.req.json());
    return desk.setBehaviour(id, behaviour);
  });
  app.post("/shop/finish", async (c) => {
    const { conversationId: id } = bodies.open.parse(await c.req.json());
    return c.json({ finished: await desk.finishAccepted(id) });
  });
  app.post("/shop/reprice", async (c) => {
    const { conversationId: id } = bodies.open.parse(await c.req.json());
    const number = log.open(id).lastOrder;
    if (number === undefined) return problem(409, "no_order", "Name an order in the chat first.");
    return c.json(await desk.reprice(number));
  });
  app.post("/shop/orders", async (c) => {
    const { person: whose } = bodies.order.parse(await c.req.json());
    return c.json(await desk.placeOrder(people[whose].customerId), 201);
  });
  app.get("/shop/orders/:number", async (c) => c.json(await desk.order(c.req.param("number"))));
  app.post("/shop/reset", async (c) => c.json(await desk.reset()));
  app.get("/shop/applications", async (c) => c.json(await desk.applications(c.req.query("order") ?? "")));
  return app;
}

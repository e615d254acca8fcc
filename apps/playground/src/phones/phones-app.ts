import { Hono } from "hono";
import { z } from "zod";
import { type Chat, type ChatLog, people } from "../bot/chat-log.ts";
import type { CountersignApi } from "../bot/countersign-api.ts";
import type { ShopDesk } from "../bot/shop-desk.ts";
import { accountNames } from "./accounts.ts";
import type { OpenPhone, Phones } from "./phones.ts";

const conversationId = z.string().regex(/^[A-Za-z0-9._:-]{1,200}$/);
const account = z.enum(accountNames as ["shop_whatsapp"]);
const placed = z.object({ order: z.object({ number: z.string() }) });
const count = z.int().min(0).max(20);
const bodies = {
  open: z.strictObject({ conversationId, account }),
  text: z.strictObject({ text: z.string().trim().min(1).max(2000) }),
  tap: z.strictObject({ messageId: z.string(), button: z.int().min(0).max(2) }),
  switches: z.strictObject({
    account,
    window: z.enum(["by_clock", "open", "closed"]).optional(),
    statuses: z.enum(["in_order", "reversed", "late", "before_answer", "none"]).optional(),
    busy: count.optional(),
    broken: count.optional(),
    silent: count.optional(),
    failLater: count.optional(),
    duplicate: count.optional(),
    overtake: count.optional(),
  }),
};

const notOpen = { code: "not_found", detail: "Open the phone first." };

/** What the shop's server could not show here, in the words of its API; null where all is well. */
async function undeliveredOf(chat: Chat, api: CountersignApi): Promise<string | null> {
  const last = chat.writes.at(-1);
  return last?.state === "proposed" ? ((await api.readWrite(last.writeId)).undelivered ?? null) : null;
}

/** What the page of the phones asks: it shows and moves the simulated phones, and never talks to a platform itself. */
export function createPhonesApp(options: {
  readonly phones: Phones;
  readonly log: ChatLog;
  readonly api: CountersignApi;
  readonly desk: ShopDesk;
}): Hono {
  const { phones, log, api, desk } = options;
  const app = new Hono();
  // Each phone has an order of its own: what one does to it must not spoil the others.
  const orders = new Map<string, string>();

  async function viewOf({ conversationId: id, account: name, address, phone }: OpenPhone) {
    const chat = log.open(id);
    return {
      conversationId: id,
      account: name,
      address,
      person: chat.person,
      order: orders.get(id) ?? "A-1042",
      undelivered: await undeliveredOf(chat, api),
      messages: phone.messages(),
    };
  }

  const opening = new Map<string, Promise<OpenPhone>>();

  async function open(id: string, name: z.infer<typeof account>): Promise<OpenPhone> {
    const chat = log.open(id);
    if (phones.find(id) === undefined && chat.person === null) {
      // The shop knows whose number this is: the customer linked it to their account.
      await api.stateCustomer(id, people.ana.customerId);
      chat.person = "ana";
      orders.set(id, placed.parse(await desk.placeOrder(people.ana.customerId)).order.number);
    }
    return phones.open(chat, name);
  }

  app.post("/", async (c) => {
    const { conversationId: id, account: name } = bodies.open.parse(await c.req.json());
    const key = `${id} ${name}`;
    const opened = opening.get(key) ?? open(id, name);
    opening.set(key, opened);
    const phone = await opened;
    opening.delete(key);
    return c.json(await viewOf(phone));
  });
  app.put("/switches", async (c) => {
    const { account: name, ...change } = bodies.switches.parse(await c.req.json());
    phones.set(name, Object.fromEntries(Object.entries(change).filter(([, value]) => value !== undefined)));
    return c.json(phones.switches(name));
  });
  app.get("/switches/:account", (c) => c.json(phones.switches(account.parse(c.req.param("account")))));
  app.get("/:id", async (c) => {
    const opened = phones.find(c.req.param("id"));
    if (opened === undefined) return c.json(notOpen, 404);
    return c.json(await viewOf(opened));
  });
  app.post("/:id/text", async (c) => {
    const { text } = bodies.text.parse(await c.req.json());
    const opened = phones.find(c.req.param("id"));
    if (opened === undefined) return c.json(notOpen, 404);
    opened.phone.type(text);
    return c.json({ done: true });
  });
  app.post("/:id/tap", async (c) => {
    const { messageId, button } = bodies.tap.parse(await c.req.json());
    const opened = phones.find(c.req.param("id"));
    if (opened === undefined) return c.json(notOpen, 404);
    opened.phone.tap(messageId, button);
    return c.json({ done: true });
  });
  return app;
}

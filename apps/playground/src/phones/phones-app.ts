import { Hono } from "hono";
import { z } from "zod";
import { type ChatLog, people } from "../bot/chat-log.ts";
import type { CountersignApi } from "../bot/countersign-api.ts";
import { accountNames } from "./accounts.ts";
import type { OpenPhone, Phones } from "./phones.ts";

const conversationId = z.string().regex(/^[A-Za-z0-9._:-]{1,200}$/);
const account = z.enum(accountNames as ["shop_whatsapp"]);
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

function viewOf({ conversationId: id, account: name, address, phone }: OpenPhone, person: string | null) {
  return { conversationId: id, account: name, address, person, messages: phone.messages() };
}

/** What the page of the phones asks: it shows and moves the simulated phones, and never talks to a platform itself. */
export function createPhonesApp(options: {
  readonly phones: Phones;
  readonly log: ChatLog;
  readonly api: CountersignApi;
}): Hono {
  const { phones, log, api } = options;
  const app = new Hono();
  const opening = new Map<string, Promise<OpenPhone>>();

  async function open(id: string, name: z.infer<typeof account>): Promise<OpenPhone> {
    const chat = log.open(id);
    if (phones.find(id) === undefined && chat.person === null) {
      // The shop knows whose number this is: the customer linked it to their account.
      await api.stateCustomer(id, people.ana.customerId);
      chat.person = "ana";
    }
    return phones.open(chat, name);
  }

  app.post("/", async (c) => {
    const { conversationId: id, account: name } = bodies.open.parse(await c.req.json());
    const key = `${id} ${name}`;
    const opened = opening.get(key) ?? open(id, name);
    opening.set(key, opened);
    const view = viewOf(await opened, log.open(id).person);
    opening.delete(key);
    return c.json(view);
  });
  app.put("/switches", async (c) => {
    const { account: name, ...change } = bodies.switches.parse(await c.req.json());
    phones.set(name, Object.fromEntries(Object.entries(change).filter(([, value]) => value !== undefined)));
    return c.json(phones.switches(name));
  });
  app.get("/switches/:account", (c) => c.json(phones.switches(account.parse(c.req.param("account")))));
  app.get("/:id", (c) => {
    const opened = phones.find(c.req.param("id"));
    if (opened === undefined) return c.json({ code: "not_found", detail: "Open the phone first." }, 404);
    return c.json(viewOf(opened, log.find(opened.conversationId)?.person ?? null));
  });
  app.post("/:id/text", async (c) => {
    const { text } = bodies.text.parse(await c.req.json());
    phones.find(c.req.param("id"))?.phone.type(text);
    return c.json({ done: true });
  });
  app.post("/:id/tap", async (c) => {
    const { messageId, button } = bodies.tap.parse(await c.req.json());
    phones.find(c.req.param("id"))?.phone.tap(messageId, button);
    return c.json({ done: true });
  });
  return app;
}

import { isLocale, isRefusal, isTimeZone } from "@countersign/core";
import { z } from "zod";
import { keepAlive } from "./keep-alive.ts";
import { refusalProblem } from "./problem.ts";
import type { Route } from "./route.ts";
import { json, route } from "./route.ts";
import { levelSchema } from "./schemas.ts";

const place = {
  locale: z.string().max(100).refine(isLocale, "must be a BCP 47 language tag, such as en-GB").optional(),
  timeZone: z
    .string()
    .max(100)
    .refine(isTimeZone, "must be an IANA time zone, such as Europe/Madrid")
    .optional(),
};

const customerBody = z.strictObject({
  customerId: z.string().min(1).max(256),
  level: levelSchema,
  authenticatedAt: z.iso.datetime({ offset: true }),
});
const sessionBody = z.strictObject(place);
const contactBody = z.strictObject({
  channel: z.string().min(1).max(64),
  address: z.string().min(1).max(256),
  ...place,
});

const ids = z.array(z.string());

function stated<T extends object>(members: T): { [Name in keyof T]?: Exclude<T[Name], undefined> } {
  return Object.fromEntries(Object.entries(members).filter(([, value]) => value !== undefined)) as never;
}

/** What a host may do: state who the customer is and where, and mint card sessions. */
export const hostRoutes: readonly Route[] = [
  route({
    method: "PUT",
    path: "/v1/conversations/{conversationId}/customer",
    name: "stateCustomer",
    summary: "State who the customer of a conversation is, after every sign-in.",
    credential: "host",
    body: { schema: customerBody, name: "StateCustomer" },
    answers: {
      200: {
        description: "The customer's epoch, and the writes that this changed.",
        schema: z.object({ epoch: z.int(), superseded: ids, rebound: ids, resumed: ids }),
      },
    },
    problems: [],
    async run({ engine, id, body, host }) {
      const { customerId, level, authenticatedAt } = body;
      const verified = {
        conversationId: id,
        customerId,
        level,
        authenticatedAt: Date.parse(authenticatedAt),
      };
      const answer = await keepAlive(host, engine.host.customerVerified(verified));
      return isRefusal(answer) ? refusalProblem(answer) : json(answer);
    },
  }),
  route({
    method: "DELETE",
    path: "/v1/conversations/{conversationId}/customer",
    name: "signOutCustomer",
    summary: "State that the customer signed out.",
    credential: "host",
    answers: {
      200: {
        description: "The new epoch, and the writes that no longer stand.",
        schema: z.object({ epoch: z.int(), superseded: ids }),
      },
    },
    problems: [],
    run: async ({ engine, id }) => json(await engine.host.customerSignedOut(id)),
  }),
  route({
    method: "POST",
    path: "/v1/conversations/{conversationId}/sessions",
    name: "startCardSession",
    summary: "Mint a card session for whoever the customer now is.",
    credential: "host",
    body: { schema: sessionBody, name: "StartCardSession", mayBeEmpty: true },
    answers: {
      201: {
        description: "The token to hand to the customer's page.",
        schema: z.object({ token: z.string(), expiresAt: z.iso.datetime() }),
      },
    },
    problems: [],
    async run({ engine, id, body, handling }) {
      const lifetimeMs = handling.sessionLifetimeMs;
      const session = await engine.host.startSession({ conversationId: id, ...stated(body), lifetimeMs });
      return json(
        { token: handling.seal.seal(session), expiresAt: new Date(session.expiresAt).toISOString() },
        201,
      );
    },
  }),
  route({
    method: "GET",
    path: "/v1/conversations/{conversationId}",
    name: "readConversation",
    summary: "Read who is in a conversation and which write is open.",
    credential: "host",
    answers: {
      200: {
        description: "The conversation; one that nobody used yet has no customer.",
        schema: z.object({
          customer: z.object({ verified: z.boolean(), level: levelSchema.nullable(), epoch: z.int() }),
          openWriteId: z.string().nullable(),
        }),
      },
    },
    problems: [],
    run: async ({ engine, id }) => json(await engine.host.readConversation(id)),
  }),
  route({
    method: "PUT",
    path: "/v1/conversations/{conversationId}/contact",
    name: "stateContact",
    summary: "State in which chat a conversation lives; prompts and receipts go there.",
    credential: "host",
    body: { schema: contactBody, name: "StateContact" },
    answers: { 204: { description: "The conversation lives there now." } },
    problems: [],
    async run({ engine, id, body }) {
      const { channel, address, locale, timeZone } = body;
      const contact = { conversationId: id, channel, address, ...stated({ locale, timeZone }) };
      const answer = await engine.host.setContact(contact);
      return isRefusal(answer) ? refusalProblem(answer) : new Response(null, { status: 204 });
    },
  }),
];

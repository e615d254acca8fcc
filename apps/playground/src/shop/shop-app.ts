import { timingSafeEqual } from "node:crypto";
import { setTimeout as after } from "node:timers/promises";
import { Hono } from "hono";
import { z } from "zod";
import { behaviourChange, readBehaviour, setBehaviour } from "./behaviour.ts";
import type { Change, ChangeKind } from "./changes.ts";
import { changeBodies } from "./changes.ts";
import type { ShopDatabase } from "./database.ts";
import { resetShop } from "./database.ts";
import type { StoredAnswer, WriteRequest } from "./operations.ts";
import {
  acceptedOperations,
  acceptOnce,
  applyOnce,
  findOperation,
  finishOperation,
  refuseOnce,
  scopeOfKey,
  storedAnswer,
} from "./operations.ts";
import { findOrder, listOrders, placeOrder, repriceOrder } from "./orders.ts";

const json = (status: number, body: unknown): Response => Response.json(body, { status });
const problem = (status: number, code: string, reason: string): Response => json(status, { code, reason });

function bearerIs(header: string | undefined, apiKey: string): boolean {
  const given = Buffer.from(header ?? "");
  const wanted = Buffer.from(`Bearer ${apiKey}`);
  return given.length === wanted.length && timingSafeEqual(given, wanted);
}

async function bodyOf(request: Request): Promise<unknown> {
  try {
    return await request.json();
  } catch {
    return undefined;
  }
}

/** Resolves when the one who asked has gone. */
function gone(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve();
    else signal.addEventListener("abort", () => resolve(), { once: true });
  });
}

async function answerWrite(
  db: ShopDatabase,
  request: WriteRequest,
  signal: AbortSignal,
): Promise<StoredAnswer> {
  // A repeated key gets its first answer whatever the shop does with new ones.
  const before = storedAnswer(db, request);
  if (before !== undefined) return before;
  const { mode, slowMs } = readBehaviour(db, request.scope);
  switch (mode) {
    case "usual":
      return request.change.kind === "booking" ? acceptOnce(db, request) : applyOnce(db, request);
    case "ok":
      return applyOnce(db, request);
    case "accept":
      return acceptOnce(db, request);
    case "refuse":
      return refuseOnce(db, request);
    case "fail_after":
      applyOnce(db, request);
      return {
        status: 500,
        body: { code: "broken", reason: "The shop broke down after it made the change." },
      };
    case "hang":
      applyOnce(db, request);
      await gone(signal);
      return { status: 499, body: { code: "gone", reason: "Nobody waits for this answer." } };
    case "slow":
      await after(slowMs);
      return applyOnce(db, request);
  }
}

/** The shop's HTTP interface. Everything wants `Authorization: Bearer <apiKey>`. */
export function createShopApp(db: ShopDatabase, apiKey: string): Hono {
  const app = new Hono();

  app.use(async (c, next) => {
    if (!bearerIs(c.req.header("authorization"), apiKey))
      return problem(401, "unauthorized", "Send the shop's api key.");
    await next();
  });

  app.get("/orders", (c) => json(200, { orders: listOrders(db, c.req.query("customerId") ?? "") }));
  app.get("/orders/:number", (c) => {
    const order = findOrder(db, c.req.param("number"), c.req.query("customerId"));
    return order === undefined
      ? problem(404, "order_not_found", "There is no such order of yours.")
      : json(200, { order });
  });
  app.post("/orders", async (c) => {
    const body = z.strictObject({ customerId: z.string().min(1) }).safeParse(await bodyOf(c.req.raw));
    if (!body.success) return problem(422, "invalid_request", "Send { customerId }.");
    return json(201, { order: placeOrder(db, body.data.customerId) });
  });

  app.post("/orders/:number/reprice", (c) => {
    const order = repriceOrder(db, c.req.param("number"));
    return order === undefined
      ? problem(404, "order_not_found", "There is no such order.")
      : json(200, { order });
  });
  app.post("/orders/:number/:kind", async (c) => {
    const kind = c.req.param("kind") as ChangeKind;
    if (!Object.hasOwn(changeBodies, kind)) return problem(404, "not_found", "The shop has no such change.");
    const key = c.req.header("idempotency-key");
    if (key === undefined || key === "") return problem(400, "key_required", "Send an Idempotency-Key.");
    const body = changeBodies[kind].safeParse(await bodyOf(c.req.raw));
    if (!body.success) return problem(422, "invalid_request", "The change is not complete.");
    const answer = await answerWrite(
      db,
      {
        key,
        orderNumber: c.req.param("number"),
        scope: c.req.header("behaviour-scope") ?? "",
        ifMatch: c.req.header("if-match"),
        change: { kind, body: body.data } as Change,
      },
      c.req.raw.signal,
    );
    return json(answer.status, answer.body);
  });

  app.get("/operations", (c) => {
    const key = c.req.query("key") ?? "";
    if (readBehaviour(db, scopeOfKey(db, key) ?? "").operations === "down") {
      return problem(503, "unavailable", "Nothing is known right now.");
    }
    const operation = findOperation(db, key);
    return operation === undefined
      ? problem(404, "not_found", "This key never arrived.")
      : json(200, { operation });
  });
  app.get("/operations/accepted", (c) =>
    json(200, { ids: acceptedOperations(db, c.req.query("scope") ?? "") }),
  );
  app.post("/operations/:id/finish", (c) => {
    const operation = finishOperation(db, c.req.param("id"));
    return operation === undefined
      ? problem(404, "not_found", "There is no such operation.")
      : json(200, { operation });
  });

  app.get("/applications", (c) => {
    const { key, order } = c.req.query();
    const applications = db
      .prepare(
        "select key, kind, order_id as orderNumber, at from applications where key = coalesce(?, key) and order_id = coalesce(?, order_id) order by seq",
      )
      .all(key ?? null, order ?? null);
    return json(200, { applications });
  });

  app.get("/behaviour", (c) => json(200, readBehaviour(db, c.req.query("scope") ?? "")));
  app.put("/behaviour", async (c) => {
    const body = behaviourChange.safeParse(await bodyOf(c.req.raw));
    if (!body.success) return problem(422, "invalid_request", "Send { mode, scope?, slowMs?, operations? }.");
    const { scope, ...behaviour } = body.data;
    setBehaviour(db, scope, behaviour);
    return json(200, behaviour);
  });

  app.post("/reset", () => {
    resetShop(db);
    return json(200, { reset: true });
  });
  return app;
}

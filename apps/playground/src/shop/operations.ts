import { createHash, randomUUID } from "node:crypto";
import { z } from "zod";
import type { Change, ChangeRefusal, ChangeResult } from "./changes.ts";
import { changeBodies, makeChange } from "./changes.ts";
import type { ShopDatabase } from "./database.ts";

/** A write the shop was asked for, as `GET /operations?key=` tells it. */
export type Operation = {
  readonly id: string;
  readonly status: "accepted" | "applied" | "refused";
  readonly result: ChangeResult | null;
  readonly reason: string | null;
};

/** The answer to a write; the same for every repeat under its key. */
export type StoredAnswer = { readonly status: number; readonly body: { readonly [name: string]: unknown } };

/** One request for a write. */
export type WriteRequest = {
  readonly key: string;
  readonly orderNumber: string;
  readonly scope: string;
  /** The version that the order must still have. */
  readonly ifMatch: string | undefined;
  readonly change: Change;
};

type OperationRow = {
  readonly key: string;
  readonly id: string;
  readonly kind: Change["kind"];
  readonly order_number: string;
  readonly fingerprint: string;
  readonly request: string;
  readonly status: Operation["status"];
  readonly http_status: number;
  readonly answer: string;
  readonly result: string | null;
};

const isRefusal = (made: ChangeResult | ChangeRefusal): made is ChangeRefusal => "refused" in made;

function fingerprint(request: WriteRequest): string {
  const body = Object.entries(request.change.body).sort(([a], [b]) => (a < b ? -1 : 1));
  return createHash("sha256")
    .update(JSON.stringify([request.change.kind, request.orderNumber, body]))
    .digest("hex");
}

/** The answer stored under the request's key: undefined for a new key, a conflict for another request under it. */
export function storedAnswer(db: ShopDatabase, request: WriteRequest): StoredAnswer | undefined {
  const row = db.prepare<[string], OperationRow>("select * from operations where key = ?").get(request.key);
  if (row === undefined) return undefined;
  if (row.fingerprint !== fingerprint(request)) {
    return {
      status: 409,
      body: { code: "idempotency_conflict", reason: "This key was used for another request." },
    };
  }
  return { status: row.http_status, body: JSON.parse(row.answer) };
}

function keep(
  db: ShopDatabase,
  request: WriteRequest,
  operation: Pick<Operation, "id" | "status" | "result">,
  answer: StoredAnswer,
): StoredAnswer {
  const { key, orderNumber, scope, change } = request;
  db.prepare("insert into operations values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)").run(
    key,
    operation.id,
    change.kind,
    orderNumber,
    change.body.customerId,
    scope,
    fingerprint(request),
    JSON.stringify(change.body),
    operation.status,
    answer.status,
    JSON.stringify(answer.body),
    operation.result === null ? null : JSON.stringify(operation.result),
  );
  return answer;
}

function recordApplication(db: ShopDatabase, key: string, kind: string, orderNumber: string): void {
  db.prepare("insert into applications (key, kind, order_id, at) values (?, ?, ?, ?)").run(
    key,
    kind,
    orderNumber,
    Date.now(),
  );
}

/** Applies a write once and keeps its answer; a repeat of the key gets the first answer. */
export function applyOnce(db: ShopDatabase, request: WriteRequest): StoredAnswer {
  return db.transaction(() => {
    const before = storedAnswer(db, request);
    if (before !== undefined) return before;
    const id = `op_${randomUUID()}`;
    const made = makeChange(db, request.orderNumber, request.change, request.ifMatch);
    if (isRefusal(made)) {
      const body = { code: made.code, reason: made.refused };
      return keep(db, request, { id, status: "refused", result: null }, { status: made.status, body });
    }
    recordApplication(db, request.key, request.change.kind, request.orderNumber);
    return keep(
      db,
      request,
      { id, status: "applied", result: made },
      { status: 200, body: { operationId: id, result: made } },
    );
  })();
}

/** Takes a write without applying it; {@link finishOperation} does that later. */
export function acceptOnce(db: ShopDatabase, request: WriteRequest): StoredAnswer {
  return db.transaction(() => {
    const before = storedAnswer(db, request);
    if (before !== undefined) return before;
    const id = `op_${randomUUID()}`;
    return keep(
      db,
      request,
      { id, status: "accepted", result: null },
      { status: 202, body: { operationId: id } },
    );
  })();
}

/** Refuses a write whatever it asks for. */
export function refuseOnce(db: ShopDatabase, request: WriteRequest): StoredAnswer {
  return db.transaction(() => {
    const before = storedAnswer(db, request);
    if (before !== undefined) return before;
    const body = { code: "refused", reason: "The warehouse does not allow this change any more." };
    return keep(
      db,
      request,
      { id: `op_${randomUUID()}`, status: "refused", result: null },
      { status: 409, body },
    );
  })();
}

function operationOf(row: OperationRow): Operation {
  const answer = z.object({ reason: z.string().optional() }).parse(JSON.parse(row.answer));
  return {
    id: row.id,
    status: row.status,
    result:
      row.result === null
        ? null
        : z
            .record(z.string(), z.union([z.string(), z.number(), z.record(z.string(), z.string())]))
            .parse(JSON.parse(row.result)),
    reason: answer.reason ?? null,
  };
}

/** What became of a key, or undefined where it never arrived. */
export function findOperation(db: ShopDatabase, key: string): Operation | undefined {
  const row = db.prepare<[string], OperationRow>("select * from operations where key = ?").get(key);
  return row === undefined ? undefined : operationOf(row);
}

/** The scope that asked for the key's write, or undefined. */
export function scopeOfKey(db: ShopDatabase, key: string): string | undefined {
  return db.prepare<[string], string>("select scope from operations where key = ?").pluck().get(key);
}

/** Ids of what was accepted for a scope and waits to be finished. */
export function acceptedOperations(db: ShopDatabase, scope: string): readonly string[] {
  return db
    .prepare<[string], string>("select id from operations where scope = ? and status = 'accepted'")
    .pluck()
    .all(scope);
}

/** Applies an accepted write; once. Undefined for an unknown id. */
export function finishOperation(db: ShopDatabase, id: string): Operation | undefined {
  return db.transaction(() => {
    const row = db.prepare<[string], OperationRow>("select * from operations where id = ?").get(id);
    if (row === undefined) return undefined;
    if (row.status !== "accepted") return operationOf(row);
    const change = { kind: row.kind, body: changeBodies[row.kind].parse(JSON.parse(row.request)) } as Change;
    const made = makeChange(db, row.order_number, change, undefined);
    if (isRefusal(made)) {
      db.prepare("update operations set status = 'refused', answer = ? where id = ?").run(
        JSON.stringify({ reason: made.refused }),
        id,
      );
    } else {
      recordApplication(db, row.key, row.kind, row.order_number);
      db.prepare("update operations set status = 'applied', result = ? where id = ?").run(
        JSON.stringify(made),
        id,
      );
    }
    return findOperation(db, row.key);
  })();
}

import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { type PostgresServer, startPostgres } from "@countersign/test-postgres";
import pg from "pg";
import { keys } from "./process-fixtures.ts";

/** A server, and statements to it. */
export type TestDatabase = PostgresServer & {
  /** Makes an empty database. */
  create(name: string): Promise<string>;
  query(url: string, sql: string): Promise<readonly unknown[]>;
};

/** Starts a PostgreSQL server whose databases outlive every process of a test. */
export async function startDatabase(): Promise<TestDatabase> {
  const server = await startPostgres({ flush: false });
  async function query(url: string, sql: string): Promise<readonly unknown[]> {
    const client = new pg.Client({ connectionString: url });
    await client.connect();
    try {
      return (await client.query(sql)).rows;
    } finally {
      await client.end();
    }
  }
  return {
    ...server,
    query,
    async create(name) {
      await query(server.connectionString, `create database ${name} template template0`);
      return server.database(name);
    },
  };
}

/** A configuration on DATABASE_URL whose one tool and its status checks ask the shop, and which tells the shop of outcomes. */
export const postgresConfig: string = `import { applied, defineConfig, defineTool, env } from "@countersign/core";
import { postgresStore } from "@countersign/sql/postgres";
import { z } from "zod";

type Status = { status: string };

async function shop(path: string, signal?: AbortSignal): Promise<Status> {
  const answer = await fetch(env("SHOP_URL") + path, {
    method: "POST",
    headers: { "x-process": env("PROCESS_NAME") },
    ...(signal ? { signal } : {}),
  });
  if (!answer.ok) throw new Error("the shop does not say");
  return (await answer.json()) as Status;
}

export default defineConfig({
  tools: [
    defineTool({
      name: "cancel_order",
      title: "Cancel order",
      description: "Cancels an order.",
      effect: "write",
      recovery: "status",
      timeoutSeconds: 20,
      input: z.strictObject({ orderId: z.string() }),
      output: z.object({ status: z.string() }),
      handler: (args, ctx): Promise<Status> => shop("/cancel/" + args.orderId, ctx.signal),
      status: async (_known, ctx) => applied(await shop("/status/" + ctx.idempotencyKey)),
    }),
  ],
  store: postgresStore({ connectionString: env("DATABASE_URL"), poolSize: 4 }),
  apiKeys: [
    { name: "bot", roles: ["agent"], secret: "${keys.agent}" },
    { name: "shop", roles: ["host"], secret: "${keys.host}" },
    { name: "ops", roles: ["operator"], secret: "${keys.operator}" },
  ],
  sessionSecret: env("COUNTERSIGN_SESSION_SECRET"),
  async onOutcome(write) {
    await shop("/outcome/" + write.state);
  },
});
`;

/** A call that a configuration made to the shop. */
export type ShopCall = {
  readonly path: string;
  /** The process that called. */
  readonly by: string;
  /** With 500 when the shop shall not know. */
  answer(status?: 200 | 500): void;
};

/** A shop that answers as it is told, or keeps its caller waiting. */
export type ToldShop = {
  readonly url: string;
  readonly calls: ShopCall[];
  /** What to do with a call; undefined leaves it waiting. Default: 200. */
  reply: (call: ShopCall) => 200 | 500 | undefined;
  /** Resolves with a call of this path, made already or still to come. */
  called(path: RegExp): Promise<ShopCall>;
  close(): void;
};

/** Opens a shop on a free port. */
export async function openToldShop(): Promise<ToldShop> {
  const waiting = new Set<{ readonly path: RegExp; readonly tell: (call: ShopCall) => void }>();
  const server = createServer((request, response) => {
    const call: ShopCall = {
      path: request.url ?? "",
      by: String(request.headers["x-process"]),
      answer(status = 200) {
        response.statusCode = status;
        response.setHeader("content-type", "application/json");
        response.end('{"status":"cancelled"}');
      },
    };
    shop.calls.push(call);
    const status = shop.reply(call);
    if (status !== undefined) call.answer(status);
    for (const one of waiting) if (one.path.test(call.path)) one.tell(call);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const shop: ToldShop = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    calls: [],
    reply: () => 200,
    async called(path) {
      const made = shop.calls.find((call) => path.test(call.path));
      if (made !== undefined) return made;
      return new Promise((resolve) => {
        const one = {
          path,
          tell(call: ShopCall): void {
            waiting.delete(one);
            resolve(call);
          },
        };
        waiting.add(one);
      });
    },
    close() {
      server.closeAllConnections();
      server.close();
    },
  };
  return shop;
}

import type { Server } from "node:http";
import type { AddressInfo } from "node:net";
import { serve } from "@hono/node-server";
import { openShopDatabase } from "./database.ts";
import { createShopApp } from "./shop-app.ts";

/** A running shop. */
export type RunningShop = { readonly url: string; close(): Promise<void> };

/** Starts the shop on 127.0.0.1 with its own SQLite file; port 0 takes a free one. */
export async function startShop(options: {
  readonly file: string;
  readonly apiKey: string;
  readonly port: number;
}): Promise<RunningShop> {
  const db = openShopDatabase(options.file);
  const app = createShopApp(db, options.apiKey);
  const server = await new Promise<Server>((resolve, reject) => {
    const listening = serve({ fetch: app.fetch, port: options.port, hostname: "127.0.0.1" }, () =>
      resolve(listening),
    ) as Server;
    listening.once("error", reject);
  });
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close: () =>
      new Promise((resolve) => {
        server.close(() => {
          db.close();
          resolve();
        });
        server.closeAllConnections();
      }),
  };
}

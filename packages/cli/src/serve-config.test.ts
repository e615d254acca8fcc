import { memoryStore, type Store } from "@countersign/core";
import { expect, test } from "vitest";
import { serveConfig } from "./serve-config.ts";

/** A memory store that counts how often it was closed. */
function countingStore(): { readonly store: Store; closed(): number } {
  let closed = 0;
  const store = memoryStore();
  const close = (): Promise<void> => {
    closed += 1;
    return store.close();
  };
  return { store: { ...store, close }, closed: () => closed };
}

const config = () => ({
  tools: [],
  store: memoryStore(),
  apiKeys: [{ name: "shop", roles: ["host"] as const, secret: "host-secret-0123456789" }],
  sessionSecret: "session-secret-of-at-least-32-bytes",
});

test("CLI-13 what the API does not answer goes to the fallback, and nothing else does", async () => {
  const asked: string[] = [];
  const server = await serveConfig(config(), {
    port: 0,
    fallback: (request) => {
      asked.push(new URL(request.url).pathname);
      return new Response("page");
    },
  });
  const status = async (path: string): Promise<number> => (await fetch(server.url + path)).status;
  expect([
    await status("/"),
    await status("/v1x"),
    await status("/v1/card"),
    await status("/v1/nowhere"),
    await status("/healthz"),
    await status("/openapi.json"),
  ]).toEqual([200, 200, 401, 404, 200, 200]);
  expect(asked).toEqual(["/", "/v1x"]);
  await server.close();
});

test("CLI-14 a server that is closed twice closes once, and its port is free again", async () => {
  const { store, closed } = countingStore();
  const server = await serveConfig({ ...config(), store }, { port: 0 });
  await Promise.all([server.close(), server.close()]);
  expect(closed()).toBe(1);
  await expect(fetch(`${server.url}/healthz`)).rejects.toThrow();
  const again = await serveConfig(config(), { port: Number(new URL(server.url).port) });
  await again.close();
});

test("CLI-14 a start that fails closes the store", async () => {
  const taken = await serveConfig(config(), { port: 0 });
  const { store, closed } = countingStore();
  await expect(
    serveConfig({ ...config(), store }, { port: Number(new URL(taken.url).port) }),
  ).rejects.toThrow("the port is in use");
  expect(closed()).toBe(1);
  await taken.close();
});

test.each([300_000, 5_000_000])(
  "CLI-15 a body of %i bytes is answered with too_large, and the server goes on",
  async (size) => {
    const server = await serveConfig(config(), { port: 0 });
    const send = (length: number): Promise<Response> =>
      fetch(`${server.url}/v1/conversations/c-1/sessions`, {
        method: "POST",
        headers: { authorization: "Bearer host-secret-0123456789", "content-type": "application/json" },
        body: "{}".padEnd(length, " "),
      });
    const refused = await send(size);
    expect([refused.status, await refused.json()]).toEqual([
      413,
      expect.objectContaining({ code: "too_large" }),
    ]);
    expect((await send(2)).status).toBe(201);
    await server.close();
  },
);

import type { AddressInfo } from "node:net";
import { createServer } from "node:net";
import { expect, test } from "vitest";
import { askJson } from "./post.ts";

const request = { headers: {}, body: {}, signal: undefined };

test("CHAN-13 a connection that is refused proves that nothing was sent; one that breaks afterwards proves nothing", async () => {
  const server = createServer((socket) => {
    socket.once("data", () => socket.destroy());
  });
  await new Promise<void>((resolve) => {
    server.listen(0, "127.0.0.1", resolve);
  });
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
  expect(await askJson(url, request)).toEqual({ kind: "unknown", detail: expect.any(String) });
  await new Promise((resolve) => {
    server.close(resolve);
  });
  expect(await askJson(url, request)).toEqual({ kind: "unreached", detail: "ECONNREFUSED" });
});

test("CHAN-13 a wait that was ended proves nothing", async () => {
  const signal = AbortSignal.abort();
  expect(await askJson("http://127.0.0.1:9/", { ...request, signal })).toEqual({
    kind: "unknown",
    detail: "AbortError",
  });
});

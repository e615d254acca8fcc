import { expect, test } from "vitest";
import { makeApi, propose, signIn } from "./fixtures.ts";

test("HTTP-17 a card that did not change is not sent again, however much time passes", async () => {
  const api = makeApi();
  const token = await signIn(api);
  const { writeId } = await propose(api, token);
  const first = await api.ask("GET", "/v1/card", { as: token });
  const etag = first.headers.get("etag") as string;
  expect(etag).toMatch(/^"[\w-]{32}"$/);
  await api.clock.advance(1000);
  for (const header of [etag, `W/${etag}`, `"other", ${etag}`, "*"]) {
    const again = await api.ask("GET", "/v1/card", { as: token, headers: { "if-none-match": header } });
    expect([again.status, again.body, again.headers.get("etag")]).toEqual([304, undefined, etag]);
  }
  await api.ask("POST", `/v1/card/${writeId}/decline`, { as: token, body: { version: 1 } });
  const changed = await api.ask("GET", "/v1/card", { as: token, headers: { "if-none-match": etag } });
  expect(changed).toMatchObject({ status: 200, body: { card: { state: "declined" } } });
  expect(changed.headers.get("etag")).not.toBe(etag);
});

test("HTTP-17 reading never changes anything", async () => {
  const api = makeApi();
  const token = await signIn(api);
  const { writeId, seq } = await propose(api, token);
  for (const path of [
    "/v1/card",
    "/v1/card/events",
    `/v1/card/${writeId}/confirm`,
    `/v1/card/${writeId}/decline`,
  ]) {
    for (const method of ["GET", "HEAD"]) await (await api.raw(method, path, { as: token })).body?.cancel();
  }
  expect(await api.ask("GET", "/v1/card", { as: token })).toMatchObject({
    body: { card: { writeId, seq, state: "proposed" } },
  });
});

import { expect, test } from "vitest";
import { metaHook } from "./hook.ts";

test("SIM-2 Meta's webhooks are escaped as Meta escapes them, and signed over those bytes", () => {
  const message = { mid: "m1", text: "Sí 👍 a/b" };
  const value = { object: "instagram", entry: [{ id: "178", messaging: [{ message }] }] };
  const hook = metaHook("http://127.0.0.1/hook", "demo_app_secret_do_not_use", value);
  expect([hook?.body, hook?.headers["x-hub-signature-256"]]).toEqual([
    String.raw`{"object":"instagram","entry":[{"id":"178","messaging":[{"message":{"mid":"m1","text":"S\u00ed \ud83d\udc4d a\/b"}}]}]}`,
    "sha256=0f6f1e14274d72671398807cda51c3115061d9af387c2841fd4b9d5c7c86ef4a",
  ]);
});

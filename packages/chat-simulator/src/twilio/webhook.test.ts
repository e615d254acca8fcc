import twilioSdk from "twilio";
import { expect, test } from "vitest";
import { twilioHook } from "./webhook.ts";

const url = "https://hooks.example/twilio/in?tenant=t%201";
const fields = { Body: "Sí 👍", To: "whatsapp:+15550109999", Empty: "", ButtonPayload: "cs1.k3.c" };
const token = "demo_auth_token_do_not_use";
const account = { platform: "twilio", accountSid: "AC1", authToken: token, from: "whatsapp:+1" } as const;

test("SIM-2 Twilio's webhooks are signed as Twilio's own library checks them", () => {
  const hook = twilioHook(url, account, fields, () => 1);
  const signature = hook?.headers["x-twilio-signature"] ?? "";
  expect(Object.fromEntries(new URLSearchParams(hook?.body))).toEqual(fields);
  expect(twilioSdk.validateRequest(token, signature, url, fields)).toBe(true);
  expect(twilioSdk.validateRequest(token, signature, url, { ...fields, Empty: "x" })).toBe(false);
});

test("SIM-2 with a shared key, Twilio's webhooks say so and are signed with it", () => {
  const hook = twilioHook(url, { ...account, sharedKey: "demo_shared_key" }, fields, () => 1);
  const signature = hook?.headers["x-twilio-signature"] ?? "";
  expect(hook?.headers["x-twilio-webhooks-signature-settings"]).toBe("key=SK1,algorithm=HMAC_SHA256");
  const isRight = (key: string): boolean =>
    twilioSdk.validateRequest(key, signature, url, fields, "HMAC_SHA256");
  expect([isRight("demo_shared_key"), isRight(token)]).toEqual([true, false]);
});

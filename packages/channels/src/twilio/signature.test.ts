import { createHash } from "node:crypto";
import fc from "fast-check";
import twilioSdk from "twilio";
import { expect, test } from "vitest";
import { authToken, requestOf } from "../fixtures.ts";
import { isTwilioSigned } from "./signature.ts";

const secrets = {
  authTokens: ["the_new_one", authToken],
  sharedKeys: null,
  publicUrl: "https://hooks.example.test",
};
const target = "/twilio/in?tenant=t%201";
const form =
  "SmsMessageSid=SM00000000000000000000000000000001&NumMedia=0&ProfileName=Ana+P%C3%A9rez&MessageType=interactive&WaId=15550100200&SmsStatus=received&Body=Confirm&ButtonText=Confirm&ButtonPayload=cs1.k3.c&To=whatsapp%3A%2B15550109999&From=whatsapp%3A%2B15550100200&OriginalRepliedMessageSid=MM00000000000000000000000000000009&MessageSid=SM00000000000000000000000000000001&AccountSid=AC00000000000000000000000000000001&ApiVersion=2010-04-01&Empty=";
const sha1 = "R7cZwy+yAmOzi0Ht7spXzNShaiA=";
const sha256 = "MrX7Z+ThTZWEdR4zu2ASh1yeTNaAtKldaWNx7UGf7v4=";

type Parts = { target: string; body: string; signature: string; settings?: string };

function isSigned(change: Partial<Parts> = {}, other: Partial<typeof secrets> | object = {}): boolean {
  const { settings, ...parts } = { target, body: form, signature: sha1, ...change };
  const request = requestOf("POST", parts.target, parts.body, {
    "x-twilio-signature": parts.signature,
    ...(settings === undefined ? {} : { "x-twilio-webhooks-signature-settings": settings }),
  });
  return isTwilioSigned(request, { ...secrets, ...other });
}

test("CHAN-19 a form is signed over the configured address and every field, blank ones too", () => {
  expect(isSigned()).toBe(true);
  expect(isSigned({}, { publicUrl: "https://hooks.example.test:443" })).toBe(true);
  const changed = [
    { body: form.replace("&Empty=", "") },
    { body: `${form}&More=1` },
    { body: form.replace("cs1.k3.c", "cs1.k3.x") },
    { target: "/twilio/in" },
    { target: "/twilio/in?tenant=t+1" },
    { signature: sha1.toLowerCase() },
    { signature: "" },
    { signature: sha256 },
  ];
  expect(changed.filter((change) => isSigned(change))).toEqual([]);
  expect(isSigned({}, { publicUrl: "http://hooks.example.test" })).toBe(false);
  expect(isSigned({}, { publicUrl: "https://hooks.example.test:8443" })).toBe(false);
  expect(isSigned({}, { authTokens: ["the_new_one"] })).toBe(false);
});

test("CHAN-19 where there is a shared key, nothing else counts, and no request chooses how it is checked", () => {
  const shared = { sharedKeys: ["the_new_one", authToken] };
  const settings = "key=k1,algorithm=HMAC_SHA256";
  expect(isSigned({ signature: sha256, settings }, shared)).toBe(true);
  expect(isSigned({ signature: sha1 }, shared)).toBe(false);
  expect(isSigned({ signature: sha1, settings: "algorithm=HMAC_SHA1" }, shared)).toBe(false);
  expect(isSigned({ signature: sha256, settings })).toBe(false);
  for (const unknown of ["algorithm=NONE", "key=k1,algorithm=", "algorithm=HMAC_MD5"]) {
    expect(isSigned({ settings: unknown })).toBe(false);
    expect(isSigned({ signature: sha256, settings: unknown }, shared)).toBe(false);
  }
});

test("CHAN-19 a body that is no form counts only with its own hash in the signed address", () => {
  const body = '{"type":"demo","x":"é"}';
  const hash = createHash("sha256").update(body).digest("hex");
  const withHash = `/twilio/in?bodySHA256=${hash}`;
  const signatureOf = (path: string): string =>
    twilioSdk.getExpectedTwilioSignature(authToken, secrets.publicUrl + path, {});
  expect(isSigned({ target: withHash, body, signature: signatureOf(withHash) })).toBe(true);
  expect(isSigned({ target: withHash, body: `${body} `, signature: signatureOf(withHash) })).toBe(false);
  expect(isSigned({ target: "/twilio/in", body, signature: signatureOf("/twilio/in") })).toBe(false);
});

test("CHAN-19 agrees with Twilio's own library on any form and any address", () => {
  const text = fc.string({ unit: "grapheme", maxLength: 12 });
  const fields = fc.dictionary(
    text.filter((name) => name !== ""),
    text,
    { maxKeys: 8 },
  );
  const path = fc.constantFrom("/in", "/in?a=1", "/in?a='%20b'&c=%C3%A9", "/in?a=&b");
  fc.assert(
    fc.property(fields, path, (said, where) => {
      const signature = twilioSdk.getExpectedTwilioSignature(authToken, secrets.publicUrl + where, said);
      const body = new URLSearchParams(said).toString();
      expect(isSigned({ target: where, body, signature })).toBe(true);
      expect(isSigned({ target: where, body: `${body}&x=1`, signature })).toBe(false);
    }),
  );
});

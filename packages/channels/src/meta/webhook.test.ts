import { expect, test } from "vitest";
import { appSecret, metaRequest, requestOf } from "../fixtures.ts";
import { readMetaWebhook } from "./webhook.ts";

const secrets = { appSecrets: ["the_new_one", appSecret], verifyTokens: ["new_token", "demo token&1"] };

function readWith(request: Parameters<typeof readMetaWebhook>[0]): {
  reading: object;
  bodies: readonly unknown[];
} {
  const bodies: unknown[] = [];
  const reading = readMetaWebhook(request, secrets, (body) => bodies.push(body));
  return { reading, bodies };
}

const signed = (text: string, digits: string) =>
  requestOf("POST", "/v1/channels/shop/webhook", text, { "x-hub-signature-256": `sha256=${digits}` });

const demo =
  '{"object":"page","entry":[{"id":"900100","time":1767225600000,"messaging":[{"sender":{"id":"7001"},"recipient":{"id":"900100"},"timestamp":1767225599000,"postback":{"mid":"m_demo1","title":"Confirm","payload":"cs1.k3.c"}}]}]}';
const escaped = String.raw`{"object":"instagram","entry":[{"id":"178","messaging":[{"message":{"mid":"m1","text":"S\u00ed \ud83d\udc4d a\/b"}}]}]}`;
const escapedSignature = "0f6f1e14274d72671398807cda51c3115061d9af387c2841fd4b9d5c7c86ef4a";

test("CHAN-8 Meta's signature is over the bytes as they were sent, with any of the secrets", () => {
  const answer = { status: 200, contentType: "text/plain", body: "" };
  const reading = { kind: "events", events: [], ignored: {}, answer };
  const demoSignature = "9fc96ee53f06450eaa1c90fd5e11b593a846c427b14f74dfc59ae78541784b4d";
  expect(readWith(signed(demo, demoSignature))).toEqual({ reading, bodies: [JSON.parse(demo)] });
  expect(readWith(signed(escaped, escapedSignature))).toEqual({ reading, bodies: [JSON.parse(escaped)] });
  expect(readWith(metaRequest(demo, "the_new_one"))).toEqual({ reading, bodies: [JSON.parse(demo)] });
});

test("CHAN-8 a body that was parsed and written again, another secret or half a signature are refused, and nothing is read", () => {
  const again = JSON.stringify(JSON.parse(escaped));
  expect(again).not.toBe(escaped);
  const forged = [
    signed(again, escapedSignature),
    metaRequest(demo, "another_secret"),
    signed(escaped, escapedSignature.toUpperCase()),
    signed(escaped, escapedSignature.slice(1)),
    signed(escaped, `${escapedSignature}00`),
    signed(escaped, ""),
  ];
  for (const request of forged) {
    expect(readWith(request)).toEqual({
      reading: {
        kind: "refused",
        reason: "signature",
        hint: `a signature of none of the app secrets, over ${request.body.length} bytes of ${request.header("content-type") ?? "no content type"}, with 2 to try: check the option appSecret, and that the body arrives as it was sent`,
        answer: { status: 401, contentType: "text/plain", body: "" },
      },
      bodies: [],
    });
  }
});

test("CHAN-10 what is signed and is no JSON is acknowledged and counted", () => {
  for (const text of ["", "{", "null", "7"]) {
    expect(readWith(metaRequest(text)).reading).toEqual({
      kind: "events",
      events: [],
      ignored: { malformed: 1 },
      answer: { status: 200, contentType: "text/plain", body: "" },
    });
  }
});

const handshake = (query: string) =>
  readWith(requestOf("GET", `/v1/channels/shop/webhook${query}`, "", {})).reading;

test("CHAN-9 the address is verified with any of the tokens, and the challenge comes back byte for byte", () => {
  const challenge = '1158201444 "<b>';
  const query = new URLSearchParams({
    "hub.mode": "subscribe",
    "hub.verify_token": "demo token&1",
    "hub.challenge": challenge,
  });
  expect(handshake(`?${query}`)).toEqual({
    kind: "handshake",
    answer: { status: 200, contentType: "text/plain", body: challenge },
  });
});

test("CHAN-9 another token, or a request that is no verification, gets nothing", () => {
  const answer = { status: 403, contentType: "text/plain", body: "" };
  const missing = "hub.mode, hub.verify_token or hub.challenge is missing";
  const refused = (hint: string) => ({ kind: "refused", reason: "token", hint, answer });
  expect(handshake("?hub.mode=subscribe&hub.verify_token=new_toke&hub.challenge=1")).toEqual(
    refused("hub.verify_token is another one than the option verifyToken"),
  );
  expect(handshake("?hub.mode=unsubscribe&hub.verify_token=new_token&hub.challenge=1")).toEqual(
    refused(missing),
  );
  expect(handshake("?hub.mode=subscribe&hub.challenge=1")).toEqual(refused(missing));
  expect(handshake("")).toEqual(refused(missing));
});

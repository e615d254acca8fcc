import { ConfigurationError } from "@countersign/core";
import { describe, expect, test } from "vitest";
import { instagramOptions, messengerOptions, twilioOptions, whatsappOptions } from "./fixtures.ts";
import { instagram } from "./instagram/index.ts";
import { messenger } from "./messenger/index.ts";
import { twilio } from "./twilio/index.ts";
import { whatsapp } from "./whatsapp/index.ts";

const english = { text: "Please check: {{1}} Thank you.", confirmLabel: "Yes", declineLabel: "No" };
const contentSid = `HX${"a".repeat(32)}`;

const makers: { readonly [name: string]: (change: object) => unknown } = {
  whatsapp: (change) => whatsapp({ ...whatsappOptions, ...change }),
  messenger: (change) => messenger({ ...messengerOptions, ...change }),
  instagram: (change) => instagram({ ...instagramOptions, ...change }),
  twilio: (change) => twilio({ ...twilioOptions, ...change }),
};

function faultOf(name: string, change: object): string {
  try {
    makers[name]?.(change);
    return "none";
  } catch (error) {
    return error instanceof ConfigurationError ? error.message : `not a ConfigurationError: ${error}`;
  }
}

describe("an account", () => {
  test("CHAN-21 with all options right opens, also with lists of secrets and templates", () => {
    const languages = { en: english };
    expect(faultOf("whatsapp", { appSecret: ["a", "b"], template: { name: "check_it", languages } })).toBe(
      "none",
    );
    expect(faultOf("messenger", { utilityTemplate: { name: "check_it", languages } })).toBe("none");
    expect(faultOf("instagram", { login: "facebook" })).toBe("none");
    const contentTemplate = { languages: { en: { ...english, contentSid } } };
    expect(faultOf("twilio", { authToken: ["a", "b"], sharedKey: "k", contentTemplate })).toBe("none");
  });

  const secret = "a secret or a list of secrets, none of them empty";
  test.each([
    ["whatsapp", { appSecret: undefined }, `whatsapp() needs the option appSecret: ${secret}`],
    ["whatsapp", { verifyToken: "" }, `whatsapp() needs the option verifyToken: ${secret}`],
    ["whatsapp", { accessToken: [] }, `whatsapp() needs the option accessToken: ${secret}`],
    ["messenger", { appSecret: ["a", " "] }, `messenger() needs the option appSecret: ${secret}`],
    ["instagram", { verifyToken: undefined }, `instagram() needs the option verifyToken: ${secret}`],
    ["twilio", { authToken: undefined }, `twilio() needs the option authToken: ${secret}`],
    ["twilio", { sharedKey: "" }, `twilio() needs the option sharedKey: ${secret}`],
    ["whatsapp", { phoneNumberId: "+15550109999" }, "whatsapp() has a wrong phoneNumberId: digits only"],
    ["twilio", { publicUrl: undefined }, "twilio() needs the option publicUrl: a text that is not empty"],
    [
      "twilio",
      { publicUrl: "hooks.example" },
      "twilio() has a wrong option publicUrl: write an address such as https://shop.example, without query",
    ],
    [
      "twilio",
      { from: "messenger:400100200" },
      "twilio() has a wrong from: write it as whatsapp:+ and the digits",
    ],
    ["whatsapp", { graphVersion: "26" }, "whatsapp() has a wrong option graphVersion: write it as v26.0"],
    ["instagram", { login: "page" }, 'instagram() has a wrong option login: "facebook" or "instagram"'],
    [
      "messenger",
      { humanAgent: true },
      "messenger() has no option humanAgent: use pageId, accessToken, appSecret, verifyToken, graphVersion, graphBaseUrl, utilityTemplate",
    ],
    [
      "whatsapp",
      { template: { name: "check_it", languages: { en: { ...english, text: "{{1}} at the start" } } } },
      "whatsapp() template.languages.en: text needs {{1}} once, with words before and after it",
    ],
    [
      "whatsapp",
      { template: { name: "check_it", languages: { en: { ...english, declineLabel: "Yes" } } } },
      "whatsapp() template.languages.en: confirmLabel and declineLabel must differ",
    ],
    [
      "messenger",
      { utilityTemplate: { name: "check_it", languages: {} } },
      "messenger() utilityTemplate needs languages: one text for each approved language",
    ],
    [
      "twilio",
      { contentTemplate: { languages: { en: { ...english, contentSid: "HX1" } } } },
      "twilio() has a wrong contentTemplate.languages.en.contentSid: HX and 32 hexadecimal digits",
    ],
  ])("CHAN-21 of %s with %j is refused with what to do", (name, change, fault) => {
    expect(faultOf(name, change)).toBe(fault);
  });
});

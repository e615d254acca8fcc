import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { type ChatSimulator, openChatSimulator } from "@countersign/chat-simulator";
import { afterEach, expect, test } from "vitest";
import { countersign, makeFolder, shopConfig } from "./process-fixtures.ts";

const secrets = {
  accessToken: "demo_access_token",
  appSecret: "demo_app_secret",
  verifyToken: "demo_verify",
};
const phoneNumberId = "300100200300";
const env = {
  SHOP_URL: "http://127.0.0.1:9",
  COUNTERSIGN_SESSION_SECRET: "session-secret-of-at-least-32-bytes-0123456789",
};
const opened: ChatSimulator[] = [];

afterEach(async () => {
  for (const simulator of opened.splice(0)) await simulator.close();
});

async function folderWithWhatsApp(): Promise<{ readonly simulator: ChatSimulator; readonly folder: string }> {
  const simulator = await openChatSimulator({
    accounts: [
      {
        platform: "whatsapp",
        ...secrets,
        appId: "100100",
        phoneNumberId,
        displayPhoneNumber: "15550109999",
        businessAccountId: "200100200100",
      },
    ],
  });
  opened.push(simulator);
  // The server as the platform reached it when the webhook was set up.
  const hook = createServer((request, response) => {
    response.end(new URL(request.url ?? "", "http://localhost").searchParams.get("hub.challenge"));
  });
  await new Promise<void>((resolve) => hook.listen(0, "127.0.0.1", resolve));
  const { port } = hook.address() as AddressInfo;
  await simulator.connect("whatsapp", `http://127.0.0.1:${port}/v1/channels/support_wa/webhook`);
  hook.close();
  const options = JSON.stringify({
    phoneNumberId,
    businessAccountId: "200100200100",
    ...secrets,
    graphBaseUrl: simulator.url,
  });
  const config = shopConfig
    .replace("import { z }", 'import { whatsapp } from "@countersign/channels/whatsapp";\nimport { z }')
    .replace("  sessionSecret:", `  channels: { support_wa: whatsapp(${options}) },\n  sessionSecret:`);
  return { simulator, folder: makeFolder({ "countersign.config.ts": config }) };
}

test("CLI-21 `channels check` names what is missing at the platform, where, and what to do", async () => {
  const { simulator, folder } = await folderWithWhatsApp();
  const good = await countersign(folder, ["channels", "check"], env).ended;
  expect(good).toEqual({
    code: 0,
    stdout: "support_wa (whatsapp): nothing is wrong that the platform tells\n",
    stderr: "",
  });
  simulator.set({ setup: ["field"] });
  const bad = await countersign(folder, ["channels", "check", "support_wa", "--json"], env).ended;
  expect(bad.code).toBe(1);
  const { account, kind, problems } = JSON.parse(bad.stdout);
  expect([account, kind]).toEqual(["support_wa", "whatsapp"]);
  expect(problems).toHaveLength(1);
  expect(JSON.stringify(problems)).toMatch(/user_id_update|messages/);
  for (const secret of Object.values(secrets)) expect(bad.stdout + bad.stderr).not.toContain(secret);
}, 30_000);

test("CLI-21 `channels check` refuses an account that is not there with the nearest one", async () => {
  const { folder } = await folderWithWhatsApp();
  const { code, stderr } = await countersign(folder, ["channels", "check", "suport_wa"], env).ended;
  expect(code).toBe(2);
  expect(stderr).toContain('Did you mean "support_wa"?');
  const none = makeFolder({ "countersign.config.ts": shopConfig });
  const without = await countersign(none, ["channels", "check"], env).ended;
  expect(without.code).toBe(1);
  expect(without.stderr).toContain('has no "channels"');
}, 30_000);

import { randomBytes } from "node:crypto";
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { openChatSimulator } from "@countersign/chat-simulator";
import { serveConfig } from "@countersign/cli";
import { defineConfig } from "@countersign/core";
import { sqliteStore } from "@countersign/sql/sqlite";
import { scriptedAssistant } from "../bot/assistant.ts";
import { createBotApp } from "../bot/bot-app.ts";
import { chatLog } from "../bot/chat-log.ts";
import { countersignApi } from "../bot/countersign-api.ts";
import { shopDesk } from "../bot/shop-desk.ts";
import { createGalleryApp } from "../gallery/gallery-app.ts";
import { accountNames, platformOf, shopAccounts } from "../phones/accounts.ts";
import { openPhones, type Phones } from "../phones/phones.ts";
import { createPhonesApp } from "../phones/phones-app.ts";
import { shopTools } from "../tools/index.ts";
import { startShopProcess } from "./shop-process.ts";
import { createWebApp } from "./web-app.ts";

/** How a playground runs. */
export type PlaygroundOptions = {
  readonly port: number;
  /** The folder of the two SQLite files; made where it is missing. */
  readonly dataDir: string;
  /** How long a write of the shop may take. Default: 5. */
  readonly timeoutSeconds?: number;
  /** How long the offer stands. Default: 30. */
  readonly offerSeconds?: number;
};

/** A running playground: the shop, the Countersign server, the bot's backend and the page. */
export type Playground = { readonly url: string; close(): Promise<void> };

const secret = (): string => randomBytes(32).toString("base64url");

/** Starts everything with fresh secrets. The built page is expected beside this file's build. */
export async function startPlayground(options: PlaygroundOptions): Promise<Playground> {
  const { dataDir, port, timeoutSeconds = 5, offerSeconds = 30 } = options;
  mkdirSync(dataDir, { recursive: true });
  const keys = { agent: secret(), host: secret(), operator: secret() };
  const shopApiKey = secret();
  const shop = await startShopProcess({ file: join(dataDir, "shop.db"), apiKey: shopApiKey });

  // Counted from now on: the database may know the ids of an earlier start.
  const accounts = shopAccounts();
  const simulator = await openChatSimulator({ accounts: accounts.simulated, idsFrom: Date.now() });
  const publicUrl = `http://127.0.0.1:${port}`;
  const channels = accounts.channels(simulator.url, publicUrl);
  let phones: Phones | undefined;

  const config = defineConfig({
    tools: shopTools({ shopUrl: shop.url, timeoutSeconds, offerSeconds }),
    store: sqliteStore({ file: join(dataDir, "countersign.db") }),
    apiKeys: [
      { name: "bot", roles: ["agent"], secret: keys.agent },
      { name: "shop", roles: ["host"], secret: keys.host },
      { name: "desk", roles: ["operator"], secret: keys.operator },
    ],
    sessionSecret: secret(),
    secrets: { SHOP_API_KEY: shopApiKey },
    defaultTimeZone: "Europe/Madrid",
    channels,
    onMessage: (message) => phones?.hear(message),
    reviewUrl: publicUrl,
  });

  // The address is known only once the server listens; the bot makes its first call after that.
  let url = "";
  const api = countersignApi(() => url, keys);
  const log = chatLog();
  const assistant = scriptedAssistant(api, log);
  phones = openPhones({ simulator, channels, api, log, assistant });
  const desk = shopDesk(shop.url, shopApiKey);
  const bot = createBotApp({ api, log, assistant, desk });
  bot.route("/phones", createPhonesApp({ phones, log, api, desk }));
  bot.route("/gallery", createGalleryApp());
  const web = createWebApp({ bot, webFolder: fileURLToPath(new URL("../web", import.meta.url)) });
  const server = await serveConfig(config, {
    port,
    host: "127.0.0.1",
    fallback: (request) => web.fetch(request),
  });
  url = server.url;
  for (const account of accountNames)
    await simulator.connect(platformOf[account], `${url}/v1/channels/${account}/webhook`);
  return {
    url,
    async close() {
      assistant.stop();
      await simulator.close();
      await server.close();
      await shop.stop();
    },
  };
}

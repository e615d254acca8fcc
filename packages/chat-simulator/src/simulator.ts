import type { ServerResponse } from "node:http";
import { type Clock, systemClock } from "@countersign/core";
import { type Controlled, control } from "./control.ts";
import { type Courier, courier, type Hook } from "./courier.ts";
import type { InstagramAccount, MessengerAccount } from "./messaging/account.ts";
import { instagramPlatform } from "./messaging/instagram.ts";
import { messengerPlatform } from "./messaging/messenger.ts";
import { receiverOf } from "./messaging/platform.ts";
import { badToken } from "./meta/error.ts";
import { graphPath } from "./meta/graph.ts";
import { type Phone, phone } from "./phone.ts";
import {
  type Account,
  type AppSubscription,
  type Chat,
  hasFault,
  type Platform,
  type PlatformName,
  type Surroundings,
} from "./platform.ts";
import { type Ending, treat } from "./sending.ts";
import { answerJson, serve } from "./server.ts";
import { parseSwitches, type Switches, switchBoard } from "./switches.ts";
import { thread } from "./thread.ts";
import type { TwilioAccount } from "./twilio/account.ts";
import { twilioPlatform } from "./twilio/platform.ts";
import type { WhatsAppAccount } from "./whatsapp/account.ts";
import { whatsappPlatform } from "./whatsapp/platform.ts";
import type { ApiRequest } from "./wire.ts";
import { type Work, work } from "./work.ts";

/** An account of the business at one of the platforms. */
export type SimulatedAccount = WhatsAppAccount | MessengerAccount | InstagramAccount | TwilioAccount;

/** Which far sides to open. */
export type SimulatorOptions = {
  /** At most one for each platform. */
  readonly accounts: readonly SimulatedAccount[];
  /** Default: the machine's. */
  readonly clock?: Clock;
  /** Where ids begin to count: another number for each start on top of a database that is kept. Default 0. */
  readonly idsFrom?: number;
  /** Default: a free one. */
  readonly port?: number;
};

/** The far side of the chats. */
export type ChatSimulator = {
  /** What `graphBaseUrl` and `baseUrl` of a channel are set to; the control API is there too. */
  readonly url: string;
  /**
   * Says where the webhooks of an account go: the path of the server's webhook and all. Meta's platforms verify it;
   * rejects when they get no challenge back.
   */
  connect(platform: PlatformName, hookUrl: string): Promise<void>;
  /**
   * The phone of a person, who is known to the platform from then on. `id`: digits of a number, a business-scoped id of
   * WhatsApp, or the scoped id of Messenger or Instagram.
   */
  phone(
    platform: PlatformName,
    id: string,
    person?: { readonly name?: string; readonly userId?: string },
  ): Phone;
  /** Sets switches of one platform, or of all. Throws on an unknown one. */
  set(change: Partial<Switches>, platform?: PlatformName): void;
  switches(platform: PlatformName): Switches;
  /** Settles when everything was delivered that is not waiting for the clock. */
  idle(): Promise<void>;
  close(): Promise<void>;
};

function platformOf(account: SimulatedAccount, around: Surroundings): Platform {
  switch (account.platform) {
    case "whatsapp":
      return whatsappPlatform(account, around);
    case "messenger":
      return messengerPlatform(account, around);
    case "instagram":
      return instagramPlatform(account, around);
    case "twilio":
      return twilioPlatform(account, around);
  }
}

type Connected = Account & { connect(url: string): void };

function openAccount(
  options: SimulatedAccount,
  under: Work,
  around: Pick<Surroundings, "clock" | "count" | "subscriptions">,
): Connected {
  const { clock } = around;
  const switches = switchBoard();
  let url: string | undefined;
  const isAway = (): boolean =>
    hasFault(switches.now(), "address") || hasFault(switches.now(), "subscription");
  const platform = platformOf(options, {
    ...around,
    switches,
    connectedUrl: () => url,
    hookUrl: () => (isAway() ? undefined : url),
  });
  const { retries } = platform;
  return {
    platform,
    switches,
    clock,
    chats: new Map(),
    courier: courier(clock, under, { switches, retries }),
    connect(hookUrl) {
      url = hookUrl;
    },
  };
}

/** The account that a request is for: of those that know its address or credential, the one that knows the receiver. */
function accountFor(accounts: readonly Account[], request: ApiRequest): Account | undefined {
  const claiming = accounts.filter(({ platform }) => platform.claims(request));
  const receiver = receiverOf(request.body) ?? "";
  return claiming.find(({ chats }) => chats.has(receiver)) ?? claiming[0];
}

async function deliverFirst({ deliver, settled }: Courier, hooks: readonly Hook[]): Promise<void> {
  for (const hook of hooks) deliver(hook);
  if (hooks.length > 0) await settled();
}

async function finish(
  account: Account,
  ending: Ending,
  response: ServerResponse,
  under: Work,
): Promise<void> {
  await deliverFirst(account.courier, ending.before);
  const after = (): void => {
    for (const hook of ending.after) account.courier.deliver(hook);
    under.end();
  };
  if (ending.answer === null) after();
  else {
    response.once("close", after);
    if (ending.answer === "cut") response.destroy();
    else answerJson(response, ending.answer);
  }
}

// An ended version is served by the oldest that is not.
function servedVersion(asked: string, { switches }: Account): string {
  const [major] = /\d+/.exec(asked) ?? ["0"];
  return hasFault(switches.now(), "version") ? `v${Number(major) + 1}.0` : asked;
}

/** Opens the far side of the chats on a local port. Nothing of it waits for real time, except for answers to webhooks. */
export async function openChatSimulator(options: SimulatorOptions): Promise<ChatSimulator> {
  const { clock = systemClock, idsFrom = 0, port = 0 } = options;
  const under = work();
  let last = idsFrom;
  const count = (): number => {
    last += 1;
    return last;
  };
  const subscriptions = (appId: string): readonly AppSubscription[] =>
    accounts.flatMap(({ platform }) => platform.subscription() ?? []).filter((one) => one.appId === appId);
  const around = { clock, count, subscriptions };
  const accounts: readonly Connected[] = options.accounts.map((one) => openAccount(one, under, around));
  const accountOf = (platform: PlatformName): Connected => {
    const found = accounts.find((account) => account.platform.name === platform);
    if (found === undefined) throw new Error(`no account at ${platform}: name one in the option accounts`);
    return found;
  };
  const people = ({ chats }: Account): readonly Chat[] => [...new Set(chats.values())];

  const controlled: Controlled = {
    phones: () =>
      accounts.flatMap((account) =>
        people(account).map(({ id, name }) => ({ platform: account.platform.name, id, name })),
      ),
    find(platform, id) {
      const account = accounts.find((one) => one.platform.name === platform);
      const chat = account?.chats.get(account.platform.chatIdOf(id));
      return account && chat && { phone: phone(account, chat), thread: chat.thread };
    },
    switches: () => Object.fromEntries(accounts.map((one) => [one.platform.name, one.switches.now()])),
    set(change, platform) {
      for (const account of accounts) {
        if (platform === undefined || account.platform.name === platform) account.switches.set(change);
      }
    },
  };

  const server = await serve(port, async (request, response) => {
    if (control(controlled, request, response)) return;
    const account = accountFor(accounts, request);
    if (account === undefined) {
      // Nobody knows the token, nor a node of that name.
      return answerJson(response, badToken);
    }
    under.begin();
    const version = graphPath(request.path)?.version;
    if (version) response.setHeader("facebook-api-version", servedVersion(version, account));
    await finish(account, treat(account, request), response, under);
  });

  return {
    url: server.url,
    async connect(platform, hookUrl) {
      const account = accountOf(platform);
      await account.platform.verify(hookUrl);
      account.connect(hookUrl);
    },
    phone(platform, address, { name = "Ana", userId = null } = {}) {
      const account = accountOf(platform);
      const id = account.platform.chatIdOf(address);
      const isUserId = /^[A-Z]{2}\./.test(id);
      const chat = account.chats.get(id) ?? {
        id,
        name,
        userId: isUserId ? id : userId,
        thread: thread(),
        sent: new Map(),
        lastHeardAt: null,
      };
      account.chats.set(id, chat);
      if (chat.userId !== null) account.chats.set(chat.userId, chat);
      return phone(account, chat);
    },
    set(change, platform) {
      const checked = parseSwitches(change);
      if (typeof checked === "string") throw new Error(checked);
      if (platform !== undefined) accountOf(platform);
      controlled.set(checked, platform);
    },
    switches: (platform) => accountOf(platform).switches.now(),
    idle: under.idle,
    close: server.close,
  };
}

import { ConfigurationError } from "../../base/errors.ts";
import type { Channel } from "../../ports/channel.ts";

/** Channel accounts by the names that the configuration gives them. */
export type Accounts = ReadonlyMap<string, Channel>;

const shape = /^[A-Za-z0-9_-]{1,64}$/;

/** Checks the names. Throws ConfigurationError: they stand in webhooks' addresses. */
export function checkAccounts(channels: { readonly [account: string]: Channel }): Accounts {
  for (const [account, channel] of Object.entries(channels)) {
    if (!shape.test(account)) {
      throw new ConfigurationError(
        `channels: ${JSON.stringify(account)} is no name; use 1 to 64 of A-Z a-z 0-9 _ -, since it stands in a webhook's address`,
      );
    }
    if (typeof channel?.read !== "function" || typeof channel.send !== "function") {
      throw new ConfigurationError(
        `channels.${account} is no channel; write whatsapp({ … }), messenger({ … }), instagram({ … }) or twilio({ … })`,
      );
    }
  }
  return new Map(Object.entries(channels));
}

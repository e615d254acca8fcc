import { appending } from "./store-contract/appending.ts";
import type { StoreCase } from "./store-contract/case.ts";
import { chats } from "./store-contract/chats.ts";
import { concurrency } from "./store-contract/concurrency.ts";
import { conflicts } from "./store-contract/conflicts.ts";
import { conversations } from "./store-contract/conversations.ts";
import { dueWork } from "./store-contract/due-work.ts";
import { erasure } from "./store-contract/erasure.ts";
import { guards } from "./store-contract/guards.ts";
import { holds } from "./store-contract/holds.ts";
import { incoming } from "./store-contract/incoming.ts";
import { keys } from "./store-contract/keys.ts";
import { lifetime } from "./store-contract/lifetime.ts";
import { lists } from "./store-contract/lists.ts";
import { retention } from "./store-contract/retention.ts";

const [first, ...rest] = appending;
if (first === undefined) throw new Error("the store contract has no cases");

/** Every promise of the store port, one case each: an adapter's test runs them all, without exception. */
export const storeContract: readonly [StoreCase, ...StoreCase[]] = [
  first,
  ...rest,
  ...conflicts,
  ...concurrency,
  ...conversations,
  ...keys,
  ...guards,
  ...dueWork,
  ...holds,
  ...incoming,
  ...chats,
  ...erasure,
  ...retention,
  ...lists,
  ...lifetime,
];

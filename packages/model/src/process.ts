import {
  type Append,
  createEngine,
  type Engine,
  type Random,
  type Store,
  type Tool,
} from "@countersign/core";
import type { Chance } from "./chance.ts";
import type { Life, Schedule } from "./schedule.ts";
import type { Time } from "./time.ts";

/** One engine with its own tools, on the one store; it can lose the store, and it can die. */
export type Process = {
  readonly life: Life;
  readonly engine: Engine;
  /** How its next appends fail: before anything was done, or after all was done and only the answer is lost. */
  readonly store: { failing: "before" | "after"; times: number };
  /** True once one of them failed so. */
  hasFailed: boolean;
};

/** What a fault that a test puts in may replace. Absent: nothing is wrong. */
export type Fault = {
  readonly store?: (store: Store) => Store;
  readonly tools?: (tools: readonly Tool[]) => readonly Tool[];
  readonly engine?: (engine: Engine, store: Store) => Engine;
};

const never = (): Promise<never> => new Promise(() => {});

/** The store as one process reaches it: every call is parked, and none comes back to the dead. */
function reach(
  store: Store,
  process: Pick<Process, "life" | "store" | "hasFailed">,
  schedule: Schedule,
  appended: (append: Append) => void,
  refMade: (customerId: string, ref: string) => void,
): Store {
  const { life } = process;
  const far = <Value>(work: () => Promise<Value>): Promise<Value> => schedule.park(life, work);
  return {
    append: (append) =>
      far(async () => {
        const { failing, times } = process.store;
        if (times > 0) {
          process.store.times -= 1;
          process.hasFailed = true;
        }
        if (times > 0 && failing === "before") throw new Error("the store is out of reach");
        const result = await store.append(append);
        if (result.kind === "appended") appended(append);
        if (times > 0) throw new Error("the store's answer is lost");
        return result;
      }).then((result) => (life.alive ? schedule.park(life, () => result) : never())),
    readWrite: (id) => far(() => store.readWrite(id)),
    listWrites: (filter) => far(() => store.listWrites(filter)),
    readConversation: (id) => far(() => store.readConversation(id)),
    findConversationByAddress: (channel, address) =>
      far(() => store.findConversationByAddress(channel, address)),
    customerRefOf: (id, ref) =>
      far(async () => {
        const made = await store.customerRefOf(id, ref);
        refMade(id, made);
        return made;
      }),
    findCustomerId: (ref) => far(() => store.findCustomerId(ref)),
    claimKey: (row, now) => far(() => store.claimKey(row, now)),
    answerKey: (scope, key, answer, until) => far(() => store.answerKey(scope, key, answer, until)),
    releaseKey: (scope, key) => far(() => store.releaseKey(scope, key)),
    findKey: (scope, key, now) => far(() => store.findKey(scope, key, now)),
    findCustomerRef: (id) => far(() => store.findCustomerRef(id)),
    purgeKeys: (purge) => far(() => store.purgeKeys(purge)),
    purgePlain: (purge) => far(() => store.purgePlain(purge)),
    holdWrite: (hold) => far(() => store.holdWrite(hold)),
    releaseWrite: (writeId, heldUntil) => far(() => store.releaseWrite(writeId, heldUntil)),
    takeDue: (take) => far(() => store.takeDue(take)),
    nextDueAt: (now) => far(() => store.nextDueAt(now)),
    takeDeliveries: (take) => far(() => store.takeDeliveries(take)),
    finishDelivery: (id) => far(() => store.finishDelivery(id)),
    retryDelivery: (id, dueAt, body) => far(() => store.retryDelivery(id, dueAt, body)),
    receive: (message, delivery) => far(() => store.receive(message, delivery)),
    purgeInbox: (purge) => far(() => store.purgeInbox(purge)),
    putPrompt: (prompt) => far(() => store.putPrompt(prompt)),
    findPrompt: (token) => far(() => store.findPrompt(token)),
    findPromptByMessage: (account, messageId) => far(() => store.findPromptByMessage(account, messageId)),
    listPrompts: (writeId) => far(() => store.listPrompts(writeId)),
    notePrompt: (token, said) => far(() => store.notePrompt(token, said)),
    movePrompt: (token, from, to) => far(() => store.movePrompt(token, from, to)),
    putContacts: (contacts) => far(() => store.putContacts(contacts)),
    findContact: (account, address) => far(() => store.findContact(account, address)),
    listContacts: (account, userId) => far(() => store.listContacts(account, userId)),
    findContent: (account, hash) => far(() => store.findContent(account, hash)),
    keepContent: (account, hash, contentId) => far(() => store.keepContent(account, hash, contentId)),
    watch: (listener) => store.watch((change) => life.alive && listener(change)),
    ready: () => store.ready(),
    close: async () => {},
  };
}

export function startProcess(given: {
  readonly store: Store;
  readonly schedule: Schedule;
  readonly time: Time;
  readonly random: Random;
  readonly fault: Fault;
  toolsFor(life: Life): readonly Tool[];
  appended(append: Append): void;
  refMade(customerId: string, ref: string): void;
  reported(error: unknown, during: string): void;
}): Process {
  const { store, schedule, time, random, fault } = given;
  const process = {
    life: { alive: true },
    store: { failing: "before" as const, times: 0 },
    hasFailed: false,
  };
  const { life } = process;
  const reached = reach(store, process, schedule, given.appended, given.refMade);
  const tools = given.toolsFor(life);
  const engine = createEngine({
    store: reached,
    clock: time.clockOf(life),
    random,
    tools: fault.tools ? fault.tools(tools) : tools,
    secrets: { shop: "sk-secret-of-the-shop" },
    limits: { proposalsPerMinute: 0, repeatAfterDeclineSeconds: 5 },
    logger: {
      info: () => {},
      warn: () => {},
      error: ({ error, during, why = "" }) =>
        given.reported(Object.assign(new Error(String(why)), { name: String(error) }), String(during)),
    },
  });
  return Object.assign(process, { engine: fault.engine ? fault.engine(engine, store) : engine });
}

/** Ids, salts and keys that are all different and tell what they are; `name` sets runs on one store apart. */
export function madeUp(name: string, chance: Chance): Random {
  let count = 0;
  const next = (): string => {
    count += 1;
    return `${name}x${String(count).padStart(6, "0")}`;
  };
  return {
    id: (prefix) => `${prefix}${next()}`,
    salt: () => next().replace(/\W/g, "").padStart(32, "0"),
    key: () => `idk-${next()}`,
    fraction: () => chance.below(1000) / 1000,
  };
}

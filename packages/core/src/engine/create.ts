import { type Clock, systemClock } from "../base/clock.ts";
import { ConfigurationError, IntegrityError, UnavailableError } from "../base/errors.ts";
import { type Random, systemRandom } from "../base/random.ts";
import { isLocale, isTimeZone } from "../card/locale.ts";
import type { Channel } from "../ports/channel.ts";
import type { Store } from "../ports/store.ts";
import type { Tool } from "../tool/define.ts";
import { makeAgentView } from "./agent.ts";
import { makeBell } from "./bell.ts";
import { checkAccounts } from "./chats/accounts.ts";
import type { OnMessage } from "./chats/message.ts";
import { receiveWebhook } from "./chats/receive.ts";
import { checkReviewUrl, openReview } from "./chats/review-link.ts";
import { makeCustomerView, sessionEndOf } from "./customer.ts";
import { runDeliveries } from "./deliveries.ts";
import type { Engine } from "./engine.ts";
import { makeHandouts } from "./handouts.ts";
import { makeHostView } from "./host.ts";
import type { Kernel, Mode } from "./kernel.ts";
import { type Logger, makeObserver, stderrLogger } from "./observe.ts";
import { makeOperatorView } from "./operator.ts";
import { makePrincipalView } from "./principal.ts";
import type { Receiver } from "./receiver.ts";
import { recentWrites } from "./recent-writes.ts";
import { checkRetention, type RetentionOptions, startRetention } from "./retention.ts";
import { makeRunner, type Runner } from "./run.ts";
import { runDue, startWorker, type Worker } from "./worker.ts";
import { writeIds } from "./write-ids.ts";

/** What an engine is made of. */
export type EngineOptions = {
  readonly tools: readonly Tool[];
  readonly store: Store;
  readonly clock?: Clock;
  readonly random?: Random;
  /** Default: `live`. In `hosted` and `eval` no write runs. */
  readonly mode?: Mode;
  /** What `ctx.secrets.get(name)` gives handlers. */
  readonly secrets?: { readonly [name: string]: string };
  /** Per conversation; 0 switches one off. Default: 20 proposals a minute, 60 s before a declined write may come again. */
  readonly limits?: { readonly proposalsPerMinute?: number; readonly repeatAfterDeclineSeconds?: number };
  readonly retention?: RetentionOptions;
  /** BCP 47. Default: `en`. */
  readonly defaultLocale?: string;
  /** IANA name. Default: `UTC`. */
  readonly defaultTimeZone?: string;
  /** Where the customer can verify again, for a write that waits for it. */
  readonly verifyUrl?: (write: { readonly id: string; readonly conversationId: string }) => string;
  /** Who is told of every write that is decided or settled: at least once each, those of one write in order. */
  readonly receivers?: readonly Receiver[];
  /** Chat accounts, by the names that conversations' contacts and the webhooks' addresses use. */
  readonly channels?: { readonly [account: string]: Channel };
  readonly onMessage?: OnMessage;
  /** Where customers reach `/review` of this server; prompts then carry a link to the card. Default: they carry none. */
  readonly reviewUrl?: string;
  /**
   * Where failures that nobody waits for are written: an error's class, what was going on, and places in the code; never its
   * message, which may hold arguments. Default: one line each on stderr.
   */
  readonly logger?: Logger;
};

function toolMap(tools: readonly Tool[]): ReadonlyMap<string, Tool> {
  const map = new Map<string, Tool>();
  for (const tool of tools) {
    if (map.has(tool.name)) throw new ConfigurationError(`two tools are named "${tool.name}"; rename one`);
    map.set(tool.name, tool);
  }
  for (const tool of tools) {
    const undo = tool.effect === "write" ? tool.presentation.receipt.undo : undefined;
    if (undo && map.get(undo.tool)?.effect !== "write") {
      throw new ConfigurationError(
        `tool "${tool.name}": its undo names "${undo.tool}", which is no write tool here`,
      );
    }
  }
  return map;
}

function checkReceivers(receivers: readonly Receiver[]): readonly Receiver[] {
  const names = new Set<string>();
  for (const { name } of receivers) {
    if (!/^[\w:.-]{1,100}$/.test(name) || names.has(name)) {
      throw new ConfigurationError(
        `receivers: "${name}" ${names.has(name) ? "is named twice" : "is no name"}; give each a name of its own, of 1 to 100 letters, digits and _ : . -`,
      );
    }
    names.add(name);
  }
  return receivers;
}

function checkLimit(name: string, value: number, most: number): number {
  if (Number.isInteger(value) && value >= 0 && value <= most) return value;
  throw new ConfigurationError(
    `limits.${name} must be a whole number from 0 (off) to ${most}, not ${String(value)}`,
  );
}

/** Composing a card throws on a locale or time zone that is none, and every proposal would fail. */
function checkPlace({ defaultLocale = "en", defaultTimeZone = "UTC" }: EngineOptions): {
  readonly defaultLocale: string;
  readonly defaultTimeZone: string;
} {
  if (!isLocale(defaultLocale)) {
    const given = JSON.stringify(defaultLocale);
    throw new ConfigurationError(
      `defaultLocale: ${given} is not a BCP 47 language tag; write one such as "en-GB"`,
    );
  }
  if (!isTimeZone(defaultTimeZone)) {
    const given = JSON.stringify(defaultTimeZone);
    throw new ConfigurationError(
      `defaultTimeZone: ${given} is not an IANA time zone; write one such as "Europe/Madrid"`,
    );
  }
  return { defaultLocale, defaultTimeZone };
}

function secretsOf(secrets: { readonly [name: string]: string }): Kernel["secrets"] {
  return {
    get(name) {
      const secret = Object.hasOwn(secrets, name) ? secrets[name] : undefined;
      if (secret === undefined)
        throw new ConfigurationError(`secret "${name}" is not configured; add it to "secrets"`);
      return secret;
    },
  };
}

// A store that does not answer gets this long; then what is held comes back when its hold ends.
const handBackMs = 2_000;

/** Makes the running system over a store. Nothing runs by itself until {@link Engine.start}. */
export function createEngine(options: EngineOptions): Engine {
  const { store, clock = systemClock, random = systemRandom, limits = {}, logger = stderrLogger } = options;
  // Our own sentences are made without anything secret; those of others may hold anything.
  const own = [ConfigurationError, IntegrityError, UnavailableError];
  const whyOf = (error: unknown): string | undefined =>
    own.some((kind) => error instanceof kind) ? (error as Error).message : undefined;
  const observer = makeObserver(logger, () => clock.now(), whyOf);
  const { report } = observer;
  let kernel: Kernel;
  const runner: Runner = makeRunner(() => kernel);
  kernel = {
    store,
    clock,
    random,
    writeId: writeIds(clock, random),
    tools: toolMap(options.tools),
    mode: options.mode ?? "live",
    limits: {
      proposalsPerMinute: checkLimit("proposalsPerMinute", limits.proposalsPerMinute ?? 20, 200),
      repeatAfterDeclineSeconds: checkLimit(
        "repeatAfterDeclineSeconds",
        limits.repeatAfterDeclineSeconds ?? 60,
        86_400,
      ),
    },
    ...checkPlace(options),
    retention: checkRetention(options.retention ?? {}),
    secrets: secretsOf(options.secrets ?? {}),
    verifyUrl(id, conversationId) {
      try {
        return options.verifyUrl?.({ id, conversationId }) ?? null;
      } catch (error) {
        // The card stands without it; the host's page knows other ways to sign in.
        report(error, `making the verifyUrl of write ${id}`);
        return null;
      }
    },
    observer,
    report,
    runner,
    recent: recentWrites(1000),
    handouts: makeHandouts(),
    receivers: checkReceivers(options.receivers ?? []),
    channels: checkAccounts(options.channels ?? {}),
    onMessage: options.onMessage,
    reviewUrl: checkReviewUrl(options.reviewUrl),
    bell: makeBell(),
  };
  const views = kernel;
  let worker: Worker | undefined;
  let stopRetention: (() => Promise<void>) | undefined;
  return {
    agent: makeAgentView(views),
    customer: makeCustomerView(views),
    host: makeHostView(views),
    operator: makeOperatorView(views),
    openReview: (code, presented) => openReview(views, code, presented),
    receiveWebhook: (account, request) => receiveWebhook(views, account, request),
    principal: (principal) => makePrincipalView(views, principal),
    async sessionEnd(session) {
      const { conversation } = await store.readConversation(session.conversationId);
      return sessionEndOf(session, conversation, clock.now());
    },
    on: (listener) => observer.on(listener),
    watch: (listener) => store.watch(listener),
    async runDue() {
      const moved = await runDue(views);
      await runDeliveries(views);
      return moved;
    },
    start() {
      worker ??= startWorker(views);
      stopRetention ??= startRetention(views);
    },
    async stop({ graceMs = 30_000 } = {}) {
      const stoppedWorker = worker;
      const stopping = [worker?.stop(), stopRetention?.()];
      worker = undefined;
      stopRetention = undefined;
      const within = async (ms: number, work: Promise<unknown>): Promise<void> => {
        let cancel = (): void => {};
        const late = new Promise<void>((resolve) => {
          cancel = clock.after(ms, resolve);
        });
        await Promise.race([work, late]);
        cancel();
      };
      await within(
        graceMs,
        Promise.all(stopping).then(() => runner.idle()),
      );
      if (stoppedWorker) await within(handBackMs, stoppedWorker.handBack());
    },
    ready: () => store.ready(),
    now: () => clock.now(),
  };
}

import type { Clock } from "@countersign/core";
import type { SwitchBoard } from "./switches.ts";
import type { Work } from "./work.ts";

/** A webhook, signed and ready to be delivered. */
export type Hook = {
  readonly url: string;
  readonly headers: { readonly [name: string]: string };
  readonly body: string;
  /** Called once, when it was taken or given up. */
  readonly done?: (taken: boolean) => void;
};

/** When a platform delivers again, and after how many milliseconds each time. */
export type Retries = { readonly unless: "status_200" | "any_answer"; readonly afterMs: readonly number[] };

/** Delivers the webhooks of one account, one after the other. */
export type Courier = {
  deliver(hook: Hook): void;
  /** Settles when what was to be delivered so far was tried. */
  settled(): Promise<void>;
};

// Longer than any server that is worth waiting for needs; nothing ever waits for it otherwise.
const answerWithinMs = 10_000;

// What a webhook that is to be overtaken waits for at most, where none comes after it.
const overtakenWithinMs = 5000;

async function post({ url, headers, body }: Hook): Promise<number | undefined> {
  try {
    const signal = AbortSignal.timeout(answerWithinMs);
    const response = await fetch(url, { method: "POST", headers, body, redirect: "manual", signal });
    await response.arrayBuffer();
    return response.status;
  } catch {
    return undefined;
  }
}

/** A courier with nothing to deliver. */
export function courier(
  clock: Clock,
  under: Work,
  { switches, retries }: { readonly switches: SwitchBoard; readonly retries: Retries },
): Courier {
  let last: Promise<void> = Promise.resolve();
  let held: { readonly hook: Hook; readonly cancel: () => void } | undefined;

  const isTaken = (status: number | undefined): boolean =>
    retries.unless === "status_200" ? status === 200 : status !== undefined;

  function enqueue(hook: Hook, tries: number): void {
    under.begin();
    last = last.then(async () => {
      const status = await post(hook);
      const waitMs = retries.afterMs[tries];
      if (isTaken(status)) hook.done?.(status !== undefined && status < 300);
      else if (waitMs === undefined) hook.done?.(false);
      else clock.after(waitMs, () => enqueue(hook, tries + 1));
      under.end();
    });
  }

  function release(): void {
    const waiting = held;
    held = undefined;
    waiting?.cancel();
    if (waiting) enqueue(waiting.hook, 0);
  }

  return {
    settled: () => last,
    deliver(hook) {
      const copies = switches.take("duplicate") ? [hook, { ...hook, done: () => undefined }] : [hook];
      if (held === undefined && switches.take("overtake")) {
        held = { hook, cancel: clock.after(overtakenWithinMs, release) };
        return;
      }
      for (const copy of copies) enqueue(copy, 0);
      release();
    },
  };
}

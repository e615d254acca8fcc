/** What became of one thing that was asked. */
export type Outcome<Answer> = { readonly answer: Answer } | { readonly error: unknown };

/** How what was asked is done. */
export type GroupCommitOptions<Asked, Answer> = {
  /** How many go without waiting for more. */
  readonly enough: number;
  /** The most that share a transaction. */
  readonly mostTogether: number;
  /** The most transactions at a time. */
  readonly mostInFlight: number;
  /** What must not be under way twice at a time: of those that share a name, each waits for the one asked before it. */
  namesOf(asked: Asked): readonly string[];
  /** Whether it can share a transaction with others; else it gets one of its own. */
  canShare(asked: Asked): boolean;
  /** Does these in one transaction and calls `settle` once for each, as soon as its outcome is durable. Never rejects. */
  commit(
    together: readonly Asked[],
    settle: (index: number, outcome: Outcome<Answer>) => void,
  ): Promise<void>;
};

/** Gathers what is asked at the same time into few transactions. */
export type GroupCommit<Asked, Answer> = {
  ask(asked: Asked): Promise<Answer>;
  /** Resolves once all that was asked is answered. */
  finish(): Promise<void>;
};

type Job<Asked, Answer> = {
  readonly asked: Asked;
  readonly names: readonly string[];
  readonly resolve: (answer: Answer) => void;
  readonly reject: (error: unknown) => void;
};

/** How far the queue is searched for what can go ahead of what waits: what is left over goes with the next. */
const mostLookedAt = 1_024;

/**
 * Group commit over several connections. What comes alone goes at once, what comes together goes together; while the most
 * transactions are in flight, the next ones gather.
 */
export function groupCommit<Asked, Answer>(
  options: GroupCommitOptions<Asked, Answer>,
): GroupCommit<Asked, Answer> {
  const { enough, mostTogether, mostInFlight, namesOf, canShare, commit } = options;
  let queue: Job<Asked, Answer>[] = [];
  /** Names of all that is in flight. */
  const held = new Set<string>();
  let inFlight = 0;
  let scheduled = false;
  let alone = true;
  const finishing: (() => void)[] = [];

  function take(): readonly Job<Asked, Answer>[] {
    const taken: Job<Asked, Answer>[] = [];
    const left: Job<Asked, Answer>[] = [];
    const before = new Set<string>();
    let index = 0;
    let full = false;
    for (; index < queue.length && index < mostLookedAt && !full; index += 1) {
      const job = queue[index];
      if (job === undefined) break;
      const share = canShare(job.asked);
      const free = job.names.every((name) => !held.has(name) && !before.has(name));
      if (free && (share || taken.length === 0)) {
        taken.push(job);
        for (const name of job.names) held.add(name);
        full = !share || taken.length >= mostTogether;
      } else {
        left.push(job);
        for (const name of job.names) before.add(name);
      }
    }
    queue = [...left, ...queue.slice(index)];
    return taken;
  }

  async function start(jobs: readonly Job<Asked, Answer>[]): Promise<void> {
    inFlight += 1;
    await commit(
      jobs.map((job) => job.asked),
      (index, outcome) => {
        const job = jobs[index];
        if (job === undefined) return;
        for (const name of job.names) held.delete(name);
        if ("answer" in outcome) job.resolve(outcome.answer);
        else job.reject(outcome.error);
      },
    );
    inFlight -= 1;
    if (queue.length > 0) schedule();
    else if (inFlight === 0) for (const resolve of finishing.splice(0)) resolve();
  }

  function flush(): void {
    scheduled = false;
    alone = queue.length <= 1;
    while (inFlight < mostInFlight && queue.length > 0) {
      const jobs = take();
      if (jobs.length === 0) return;
      void start(jobs);
    }
  }

  // Enough for a transaction goes at once: then the server works while this process prepares the next. Callers that came
  // together before will come together again: a turn of the event loop lets them share a transaction.
  function schedule(): void {
    if (inFlight >= mostInFlight) return;
    if (queue.length >= enough) {
      flush();
      return;
    }
    if (scheduled) return;
    scheduled = true;
    if (alone && inFlight === 0) queueMicrotask(flush);
    else setImmediate(flush);
  }

  return {
    ask(asked) {
      return new Promise((resolve, reject) => {
        queue.push({ asked, names: namesOf(asked), resolve, reject });
        schedule();
      });
    },
    finish() {
      if (queue.length === 0 && inFlight === 0) return Promise.resolve();
      return new Promise((resolve) => {
        finishing.push(resolve);
      });
    },
  };
}

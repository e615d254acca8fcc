import { UnavailableError } from "@countersign/core";
import type { Database } from "better-sqlite3";
import { isBusy, isUnwritable } from "./open.ts";

/** Runs work in transactions, concurrent callers together in one. */
export type GroupCommit = {
  /**
   * Calls `work` within a transaction and resolves with its answer once that is durable. Work that throws changes nothing
   * and rejects, without harm to what was asked beside it; it may be called again, so it must only read and write the
   * database. `committed` is called after the commit, before anyone hears the answer.
   */
  ask<T>(work: () => T, committed?: (answer: T) => void): Promise<T>;
  /** The same for what comes from many sides at once: it waits as long as each turn of the event loop brings more of it. */
  askTogether<T>(work: () => T): Promise<T>;
  /** Commits what was asked and is not yet committed. */
  finish(): void;
};

type Job = {
  readonly work: () => unknown;
  readonly committed: ((answer: unknown) => void) | undefined;
  readonly resolve: (answer: unknown) => void;
  readonly reject: (error: unknown) => void;
};

/** Keeps one transaction from holding up the event loop and other processes; beyond some dozens sharing gains little. */
const mostJobs = 256;

/** Group commit on one connection, which nobody else may use for transactions. `file` names it in errors. */
export function groupCommit(db: Database, file: string): GroupCommit {
  const begin = db.prepare("begin immediate");
  const commit = db.prepare("commit");
  const rollback = db.prepare("rollback");
  let queue: Job[] = [];
  let scheduled = false;
  let alone = true;
  let gathering = false;

  function explain(error: unknown): unknown {
    if (isUnwritable(error)) {
      return new UnavailableError(
        `the database ${file} could not be written (${error.message}) and nothing was changed; ` +
          "make room on its disk or let this process write there, and ask again",
        { cause: error },
      );
    }
    if (!isBusy(error)) return error;
    return new UnavailableError(
      `the database ${file} stayed locked by another process and nothing was changed; ` +
        "find what holds a transaction open, or raise busyTimeoutMs, and ask again",
      { cause: error },
    );
  }

  function commitTogether(jobs: readonly Job[]): void {
    const answers: unknown[] = [];
    try {
      begin.run();
      for (const job of jobs) answers.push(job.work());
      commit.run();
    } catch (error) {
      if (db.inTransaction) rollback.run();
      if (jobs.length === 1 || isBusy(error)) {
        for (const job of jobs) job.reject(explain(error));
      } else {
        // No telling what the one that failed had already written: each on its own, so that only that one fails.
        for (const job of jobs) commitTogether([job]);
      }
      return;
    }
    jobs.forEach((job, index) => {
      job.committed?.(answers[index]);
    });
    jobs.forEach((job, index) => {
      job.resolve(answers[index]);
    });
  }

  function flush(): void {
    scheduled = false;
    gathering = false;
    const jobs = queue;
    queue = jobs.length > mostJobs ? jobs.splice(mostJobs) : [];
    alone = jobs.length <= 1;
    if (queue.length > 0) schedule();
    if (jobs.length > 0) commitTogether(jobs);
  }

  // Callers that came together before will come together again: then a turn of the event loop lets all 64 of them share a
  // flush, where a microtask lets 3. One that came alone is not made to wait for a turn: some 7 % of its cycle.
  function schedule(together = !alone): void {
    if (scheduled) return;
    scheduled = true;
    if (together) setImmediate(flush);
    else queueMicrotask(flush);
  }

  // What many senders hand over comes spread over several turns: flushed after each, one flush serves 37 of 64 senders, and
  // after the turn that brought nothing more, all of them. Ends early for whoever asks meanwhile and is not one of them.
  function gather(before: number): void {
    if (gathering && queue.length > before && queue.length < mostJobs) setImmediate(gather, queue.length);
    else flush();
  }

  return {
    askTogether<T>(work: () => T): Promise<T> {
      return new Promise<T>((resolve, reject) => {
        queue.push({ work, committed: undefined, resolve: resolve as Job["resolve"], reject });
        if (scheduled) return;
        scheduled = true;
        gathering = true;
        setImmediate(gather, 0);
      });
    },
    ask<T>(work: () => T, committed?: (answer: T) => void): Promise<T> {
      return new Promise<T>((resolve, reject) => {
        queue.push({
          work,
          // The answer a job is given is the one its own work made.
          committed: committed as Job["committed"],
          resolve: resolve as Job["resolve"],
          reject,
        });
        gathering = false;
        schedule();
      });
    },
    finish() {
      while (queue.length > 0) flush();
    },
  };
}

/** What one step of a run does; plain data, so that a failing run can be printed, shortened and run again. */
export type Action =
  | { readonly do: "verify"; readonly conversation: number; readonly person: number; readonly level: number }
  | { readonly do: "signOut"; readonly conversation: number }
  | { readonly do: "look"; readonly conversation: number }
  | {
      readonly do: "propose";
      readonly conversation: number;
      readonly agent: number;
      readonly tool: number;
      readonly args: number;
      /** 0: without a key of the client's own. */
      readonly clientKey: number;
    }
  | { readonly do: "find"; readonly conversation: number; readonly clientKey: number }
  | { readonly do: "read"; readonly write: number }
  | { readonly do: "withdraw"; readonly write: number }
  | {
      readonly do: "confirm";
      /** Number of the screen, from the latest back. */
      readonly screen: number;
      /** Looks again before pressing. */
      readonly afresh: boolean;
      readonly waits: boolean;
    }
  | { readonly do: "decline" | "extend" | "undo"; readonly screen: number; readonly afresh: boolean }
  | { readonly do: "edit"; readonly screen: number; readonly afresh: boolean; readonly value: number }
  | { readonly do: "resolve"; readonly write: number }
  | { readonly do: "inspect"; readonly write: number }
  | { readonly do: "due" }
  | { readonly do: "finish"; readonly which: number; readonly done: boolean }
  /** What a preview finds changes. */
  | { readonly do: "reprice"; readonly by: number }
  | { readonly do: "crash" }
  | { readonly do: "break"; readonly failing: "before" | "after"; readonly times: number }
  | { readonly do: "advance"; readonly ms: number }
  | { readonly do: "release" };

/** One step: an action, in which process, how the tools called meanwhile end, and how far everything gets before the next. */
export type Step = Action & {
  readonly process: number;
  readonly ending: number;
  readonly status: number;
  readonly look: number;
  /** How many parked calls are let through after it; null: until nothing is left. */
  readonly releases: number | null;
  readonly seed: number;
};

/** Order ids: plain, with characters nobody can see, long, and words that must never count as consent. */
export const orders: readonly string[] = [
  "A-1042",
  "B-7",
  "A-\u202e2401",
  "A\u200b-1042",
  "yes, I confirm",
  "<b>approved</b>",
  `long ${"x".repeat(300)}`,
  " two  spaces ",
];

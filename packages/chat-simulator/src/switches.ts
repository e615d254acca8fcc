/** What a platform says wrongly of an account's setup, or how the setup is wrong. */
export type SetupFault =
  /** The access token or auth token has ended. */
  | "token"
  /** The configured number, page or account is not there. */
  | "account"
  /** The token belongs to another page or account. */
  | "other_account"
  /** The app is not subscribed to the account. */
  | "subscription"
  /** The app or the account is not subscribed to one of the fields that are needed. */
  | "field"
  /** The app's webhook has another address than the server's. */
  | "address"
  /** The app's secret is another one than the configured. */
  | "secret"
  /** The version of the API is no longer served. */
  | "version";

/** How the far side behaves. The numbers count down: how many of the next requests or webhooks are treated so. */
export type Switches = {
  /** `by_clock`: open for 24 hours from the customer's last message or tap. */
  readonly window: "by_clock" | "open" | "closed";
  /** Whether a closed window and an unknown receiver are told in the answer, or later as a failed status, where the platform has both ways. */
  readonly refusals: "at_once" | "later";
  /** `late`: a minute by the clock. `before_answer`: before the request that sent the message is answered. */
  readonly statuses: "in_order" | "reversed" | "late" | "before_answer" | "none";
  /** Requests refused because there were too many. */
  readonly busy: number;
  /** Requests that meet a broken server. */
  readonly broken: number;
  /** Messages that are taken, but the answer never comes. */
  readonly silent: number;
  /** Messages that are taken, but the connection breaks before the answer. */
  readonly cut: number;
  /** Messages that are taken and fail afterwards. */
  readonly failLater: number;
  /** Webhooks that are delivered twice. */
  readonly duplicate: number;
  /** Webhooks that are overtaken by the one after. */
  readonly overtake: number;
  readonly setup: readonly SetupFault[];
};

/** Everything works. */
const working: Switches = {
  window: "by_clock",
  refusals: "at_once",
  statuses: "in_order",
  busy: 0,
  broken: 0,
  silent: 0,
  cut: 0,
  failLater: 0,
  duplicate: 0,
  overtake: 0,
  setup: [],
};

const setupFaults: ReadonlySet<unknown> = new Set<SetupFault>([
  "token",
  "account",
  "other_account",
  "subscription",
  "field",
  "address",
  "secret",
  "version",
]);

const choices: { readonly [name in "window" | "refusals" | "statuses"]: readonly unknown[] } = {
  window: ["by_clock", "open", "closed"],
  refusals: ["at_once", "later"],
  statuses: ["in_order", "reversed", "late", "before_answer", "none"],
};

function isRight(name: string, value: unknown): boolean {
  if (name === "setup") return Array.isArray(value) && value.every((one) => setupFaults.has(one));
  if (name in choices) return choices[name as keyof typeof choices].includes(value);
  return name in working && typeof value === "number" && Number.isInteger(value) && value >= 0;
}

/** Switches as they were sent; a sentence where one of them is unknown or has a wrong value. */
export function parseSwitches(value: unknown): Partial<Switches> | string {
  if (typeof value !== "object" || value === null) return "switches are an object";
  const wrong = Object.entries(value).find(([name, one]) => !isRight(name, one));
  return wrong === undefined ? (value as Partial<Switches>) : `no such switch or value: ${wrong[0]}`;
}

/** The names of the switches that count down. */
export type Counted = {
  [name in keyof Switches]: Switches[name] extends number ? name : never;
}[keyof Switches];

/** The switches of one account. */
export type SwitchBoard = {
  now(): Switches;
  set(change: Partial<Switches>): void;
  /** True while the count is not used up; uses one of it up. */
  take(name: Counted): boolean;
};

/** A board on which everything works. */
export function switchBoard(): SwitchBoard {
  let switches = working;
  return {
    now: () => switches,
    set(change) {
      switches = { ...switches, ...change };
    },
    take(name) {
      if (switches[name] === 0) return false;
      switches = { ...switches, [name]: switches[name] - 1 };
      return true;
    },
  };
}

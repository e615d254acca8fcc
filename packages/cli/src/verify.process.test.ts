import { expect, test } from "vitest";
import {
  ask,
  countersign,
  keys,
  makeFolder,
  openShop,
  proposeForAna,
  shopConfig,
} from "./process-fixtures.ts";

type Event = {
  readonly seq: number;
  readonly at: number;
  readonly hash: string;
  readonly type: string;
  readonly plain?: { readonly card?: { readonly title: string } };
};

type Journal = { readonly writeId: string; readonly head: string; readonly events: readonly Event[] };

/** A confirmed write's journal, exported from a running server. */
async function exported(): Promise<Journal> {
  const shop = await openShop();
  shop.answer();
  const variables = {
    SHOP_URL: shop.url,
    COUNTERSIGN_SESSION_SECRET: "session-secret-of-at-least-32-bytes-0123456789",
  };
  const server = countersign(
    makeFolder({ "countersign.config.ts": shopConfig }),
    ["serve", "--port", "0"],
    variables,
  );
  try {
    const url = (await server.firstLine).trim().replace("countersign is ready at ", "");
    const { token, card } = await proposeForAna(url);
    const { writeId, version, digest } = card;
    await ask(url, "POST", `/v1/card/${writeId}/confirm`, token, { version, digest });
    return (await ask(url, "GET", `/v1/writes/${writeId}/journal`, keys.operator)).body;
  } finally {
    server.child.kill("SIGTERM");
    await server.ended;
    shop.close();
  }
}

const journal = await exported();
const { writeId, head, events } = journal;
const text = JSON.stringify(journal);
const flipped = text.replace('"orderId":"A-1042"', '"orderId":"A-1043"');
const unproven = `${writeId}: NOT verified, 2 faults
  event 1  plain.args: is not what was committed to: it, plain.salt or the commit was changed
  event 1  plain.card.`;

function verify(
  args: readonly string[],
  files: { readonly [name: string]: string } = {},
  input?: string,
): Promise<{ readonly code: number | null; readonly stdout: string; readonly stderr: string }> {
  return countersign(makeFolder(files), ["verify", ...args], {}, input).ended;
}

/** The report on the journal, with these lines on what is shown, erased and known of the head. */
function report(shown: readonly string[], erased: readonly string[], known: string): string {
  return `${[
    `${writeId}: verified`,
    "  events     4, ending as applied",
    "  shown      version 1 of cancel_order (event 1)",
    ...shown,
    `  confirmed  version 1 on web, event 2, ${new Date(events[1]?.at ?? 0).toISOString()}`,
    "  ran        attempt 1 with version 1 (event 3): the very arguments of that version",
    ...erased,
    `  head       ${head}`,
    `             ${known}`,
  ].join("\n")}\n`;
}

const card = ['      "Cancel order"', "      Order id: A-1042"];
const compare = "compare it with one kept outside (--head): a tail that was cut off shows only so";

test("CLI-16 an export of a running server verifies, and people read what was shown, confirmed and run", async () => {
  expect(await verify(["journal.json", "--head", head], { "journal.json": text })).toEqual({
    code: 0,
    stdout: report(card, [], "is the head that was given: nothing is missing"),
    stderr: "",
  });
  expect(await verify(["-"], {}, text)).toEqual({ code: 0, stdout: report(card, [], compare), stderr: "" });
  expect(await verify(["-", "--head", events[1]?.hash ?? ""], {}, text)).toEqual({
    code: 0,
    stdout: report(card, [], "the head that was given is event 2 of 4: the journal went on since"),
    stderr: "",
  });
});

test("CLI-16 what was erased is said to be erased", async () => {
  const erased = { ...journal, events: events.map(({ plain: _, ...event }) => event) };
  expect(await verify(["-"], {}, JSON.stringify(erased))).toEqual({
    code: 0,
    stdout: report(
      ["      (erased)"],
      ["  erased     plain values of events 1, 4; their commits stand"],
      compare,
    ),
    stderr: "",
  });
});

test("CLI-16 proofs are printed as JSON, one on each line", async () => {
  const { code, stdout } = await verify(["journals.json", "--json"], {
    "journals.json": `{"journals":[${text},${flipped}]}`,
  });
  const proofs = stdout
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line) as { readonly ok: boolean });
  expect(code).toBe(1);
  expect(proofs).toMatchObject([
    { ok: true, writeId, head, state: "applied", runs: [{ seq: 3, attempt: 1, version: 1 }] },
    { ok: false, writeId, faults: [{ seq: 1, what: "plain.args" }, { seq: 1 }] },
  ]);
});

test("CLI-17 one changed byte and a tail that was cut off are named", async () => {
  const changed = await verify(["-"], {}, flipped);
  expect([changed.code, changed.stderr, changed.stdout.startsWith(unproven)]).toEqual([1, "", true]);
  const last = events[1]?.hash;
  const cut = JSON.stringify({ ...journal, head: last, events: events.slice(0, 2) });
  expect(await verify(["-", "--head", head], {}, cut)).toEqual({
    code: 1,
    stdout: `${writeId}: NOT verified, 2 faults
  event 2  type: cannot be the last: what it led to is recorded with it, and is missing
  journal  head: the journal ends at event 2 with hash ${last}; the given head is not in it: its tail is missing, or it is another journal
`,
    stderr: "",
  });
});

test.each([
  ["a list", `[${text},${flipped}]`],
  ["lines", `${text}\n\n${flipped}\n`],
])("CLI-17 of several journals each is told, and all are counted: %s", async (_name, several) => {
  const { code, stdout } = await verify(["-"], {}, several);
  expect(code).toBe(1);
  expect(stdout.startsWith(`${report(card, [], compare)}\n${unproven}`)).toBe(true);
  expect(stdout.endsWith("\n\n1 of 2 journals verify.\n")).toBe(true);
});

test("CLI-17 a member that is there twice, so that readers would not agree, is no proof", async () => {
  const twice = text.replace('"seq":1,', '"seq":7,"seq":1,');
  expect(await verify(["-"], {}, twice)).toEqual({
    code: 1,
    stdout: "",
    stderr:
      "countersign verify: standard input names a member twice in one object; readers would not agree on what it says\n",
  });
});

const noJournal =
  "is no exported journal: it has no list of events (export one with GET /v1/writes/{id}/journal)";

test.each<[name: string, args: readonly string[], files: { readonly [name: string]: string }, says: string]>([
  ["no file is named", [], {}, "one FILE is needed, or - for standard input"],
  ["two files are named", ["a", "b"], {}, "one FILE is needed, or - for standard input"],
  ["the file is not there", ["a.json"], {}, "a.json is not there"],
  ["the file is a folder", ["."], {}, ". cannot be read (EISDIR)"],
  ["the file is empty", ["a.json"], { "a.json": "\n" }, "a.json is empty"],
  ["the list is empty", ["a.json"], { "a.json": "[]" }, "a.json holds no journal"],
  ["it is something else", ["a.json"], { "a.json": '{"status":404}' }, `a.json ${noJournal}`],
  [
    "one of several is something else",
    ["a.json"],
    { "a.json": `[${text},{}]` },
    `a.json, number 2 of 2, ${noJournal}`,
  ],
  [
    "the head is no hash",
    ["a.json", "--head", "abc"],
    {},
    "--head is a hash of 64 lower-case hexadecimal digits",
  ],
  [
    "one head is given for two",
    ["a.json", "--head", head],
    { "a.json": `[${text},${text}]` },
    "--head belongs to one journal, and here are 2",
  ],
])("CLI-18 nothing is verified where %s", async (_name, args, files, says) => {
  expect(await verify(args, files)).toEqual({
    code: 2,
    stdout: "",
    stderr: `countersign verify: ${says}\nSee countersign verify --help.\n`,
  });
});

test("CLI-19 a file that is not JSON is not quoted", async () => {
  expect((await verify(["a.json"], { "a.json": "A-1042 for Ana" })).stderr).toBe(
    "countersign verify: a.json is not JSON\nSee countersign verify --help.\n",
  );
  expect((await verify(["a.json"], { "a.json": `${text}\nA-1042 for Ana` })).stderr).toBe(
    "countersign verify: a.json, line 2, is not JSON\nSee countersign verify --help.\n",
  );
});

test("CLI-19 names and texts out of a journal cannot steer the terminal, and no depth is too much", async () => {
  const steering = JSON.stringify({ writeId: "wr_\u001b[2J\u202e", head, events: [{ "\u001b[1A": 1 }] });
  const steered = await verify(["-"], {}, steering);
  const left = ["\u001b", "\u202e"].filter((character) => steered.stdout.includes(character));
  expect([steered.code, left]).toEqual([1, []]);
  expect(steered.stdout.startsWith("wr_⟦U+001B⟧[2J⟦U+202E⟧: NOT verified, ")).toBe(true);
  const deep = `{"events":${"[".repeat(100_000)}${"]".repeat(100_000)}}`;
  expect(await verify(["-"], {}, deep)).toEqual({
    code: 1,
    stdout: `a journal without a name: NOT verified, 3 faults
  journal  writeId: is no text
  journal  head: is no SHA-256 in lower-case hexadecimal
  event 1  event: is no object
`,
    stderr: "",
  });
});

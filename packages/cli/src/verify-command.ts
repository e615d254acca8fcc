import { readFileSync } from "node:fs";
import { parseArgs } from "node:util";
import { verifyJournal } from "@countersign/core/verify";
import { reportOf } from "./proof-report.ts";
import { readJournals } from "./read-journals.ts";
import { UsageError } from "./usage-error.ts";

/** `countersign verify --help`. */
const verifyHelp = `Usage: countersign verify FILE [options]

Verifies exported journals (GET /v1/writes/{id}/journal) by themselves, without server or database: that nothing was
changed, and that what was shown is what was confirmed and what ran. FILE holds one journal, a list of them,
{ "journals": [...] }, or one on each line; - reads standard input.

Options:
  --head HASH   the head as it was kept outside earlier: only with it a missing tail is noticed
  --json        the proofs as JSON, one on each line
  --help

Exit codes: 0 all verify, 1 one does not, 2 the file holds no journal.`;

function read(file: string): string {
  try {
    return readFileSync(file === "-" ? 0 : file, "utf8");
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code;
    const why = code === "ENOENT" ? "is not there" : `cannot be read (${code ?? "unknown"})`;
    throw new UsageError(`${file} ${why}`, { cause: error });
  }
}

/** Runs `countersign verify`; resolves with the exit code. */
export async function verifyCommand(args: readonly string[]): Promise<number> {
  const { values, positionals } = parseArgs({
    args: [...args],
    allowPositionals: true,
    options: {
      head: { type: "string" },
      json: { type: "boolean", default: false },
      help: { type: "boolean", short: "h" },
    },
  });
  if (values.help) {
    console.log(verifyHelp);
    return 0;
  }
  const [file, ...more] = positionals;
  if (file === undefined || more.length > 0)
    throw new UsageError("one FILE is needed, or - for standard input");
  const { head, json } = values;
  if (head !== undefined && !/^[0-9a-f]{64}$/.test(head))
    throw new UsageError("--head is a hash of 64 lower-case hexadecimal digits");
  const journals = readJournals(read(file), file === "-" ? "standard input" : file);
  if (head !== undefined && journals.length > 1)
    throw new UsageError(`--head belongs to one journal, and here are ${journals.length}`);
  let failed = 0;
  for (const [index, journal] of journals.entries()) {
    const proof = await verifyJournal(journal, head === undefined ? {} : { head });
    if (!proof.ok) failed += 1;
    // What could not be proved is named by what it says of itself, where it says something.
    if (json) console.log(JSON.stringify({ writeId: journal.writeId ?? null, ...proof }));
    else console.log(`${index > 0 ? "\n" : ""}${reportOf(journal.writeId, proof)}`);
  }
  if (!json && journals.length > 1)
    console.log(`\n${journals.length - failed} of ${journals.length} journals verify.`);
  return failed === 0 ? 0 : 1;
}

import { visible } from "@countersign/core/card";
import type { JournalProof, ProvenVersion } from "@countersign/core/verify";

type Proven = Extract<JournalProof, { readonly ok: true }>;

/**
 * A value out of the file on one line of a terminal, which it must not be able to steer. Texts of a card bear marks already,
 * and those stay as they are.
 */
function shown(value: unknown): string {
  const text = typeof value === "string" ? value : (JSON.stringify(value) ?? "");
  return text.replaceAll(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, (character) => visible(character));
}

function count(number: number, what: string): string {
  return `${number} ${what}${number === 1 ? "" : "s"}`;
}

type Row = { readonly label?: unknown; readonly display?: unknown; readonly omitted?: unknown };

function rowsOf(value: unknown): readonly Row[] {
  return Array.isArray(value) ? (value as readonly Row[]) : [];
}

/** What the customer had on the card, by label. */
function cardLines(version: ProvenVersion): readonly string[] {
  const card = version.card as { readonly [name: string]: unknown } | undefined;
  if (card === undefined) return ["      (erased)"];
  const rows = [...rowsOf(card.fields), ...rowsOf(card.details)];
  return [
    `      "${shown(card.title)}"`,
    ...rows.map(({ label, display, omitted }) =>
      omitted === true ? `      ${shown(label)}: (not shown)` : `      ${shown(label)}: ${shown(display)}`,
    ),
  ];
}

function decisionLine({ decision, confirmationRequired }: Proven): string {
  if (decision !== null) {
    const when = new Date(decision.at);
    const at = Number.isNaN(when.getTime()) ? "" : `, ${when.toISOString()}`;
    return `  ${decision.kind.padEnd(9)}  version ${decision.version} on ${shown(decision.surface)}, event ${decision.seq}${at}`;
  }
  if (!confirmationRequired) return "  confirmed  not needed for this tool";
  return "  confirmed  no";
}

function runLine({ runs }: Proven): string {
  if (runs.length === 0) return "  ran        no";
  const each = runs.map(
    ({ attempt, version, seq }) => `attempt ${attempt} with version ${version} (event ${seq})`,
  );
  return `  ran        ${each.join(", ")}: the very arguments of that version`;
}

function headLines({ head, anchor, events }: Proven): readonly string[] {
  const line = `  head       ${head}`;
  if (anchor === null)
    return [
      line,
      "             compare it with one kept outside (--head): a tail that was cut off shows only so",
    ];
  if (anchor.since === 0) return [line, "             is the head that was given: nothing is missing"];
  return [
    line,
    `             the head that was given is event ${anchor.seq} of ${events}: the journal went on since`,
  ];
}

function provenLines(proof: Proven): readonly string[] {
  const { erased, contradictions, versions } = proof;
  return [
    `${shown(proof.writeId)}: verified`,
    `  events     ${proof.events}, ending as ${shown(proof.state)}`,
    ...versions.flatMap((version) => [
      `  shown      version ${version.version} of ${shown(version.tool)} (event ${version.seq})`,
      ...cardLines(version),
    ]),
    decisionLine(proof),
    runLine(proof),
    ...(contradictions > 0 ? [`  beware     ${count(contradictions, "later finding")} said otherwise`] : []),
    ...(erased.length > 0
      ? [
          `  erased     plain values of ${erased.length === 1 ? "event" : "events"} ${erased.join(", ")}; their commits stand`,
        ]
      : []),
    ...headLines(proof),
  ];
}

/** What people read about one proof; `writeId` is what the journal calls itself. */
export function reportOf(writeId: unknown, proof: JournalProof): string {
  if (proof.ok) return provenLines(proof).join("\n");
  const name = typeof writeId === "string" ? shown(writeId) : "a journal without a name";
  const faults = proof.faults.map(
    ({ seq, what, problem }) => `  ${seq === null ? "journal" : `event ${seq}`}  ${what}: ${problem}`,
  );
  return [`${name}: NOT verified, ${count(proof.faults.length, "fault")}`, ...faults].join("\n");
}

import type { SessionEnd } from "../model/answer.ts";
import type { Fault } from "../model/entries.ts";

/** A sentence by plural category of the locale; `other` where a category is missing. */
export type Plural = { readonly other: string } & {
  readonly [category in Intl.LDMLPluralRule]?: string;
};

/** Said by the card in every state of this name, in small words above its title. */
type StateWords =
  | "loading"
  | "proposed"
  | "awaiting_verification"
  | "applied"
  | "not_applied"
  | "declined"
  | "pending"
  | "unknown"
  | "expired";
/** Above the title, where the state alone does not say it; the answer that is being sent goes by its name. */
type OtherWords = "saved" | "savedLookAgain" | "lookAgain" | "confirm" | "decline" | "asking";
/** On a button while it is busy. */
type BusyWords = "saving" | "sending" | "checking" | "copied";
/** Notices. The first of two lines is the notice's title. */
type Notices = "stepUp" | "offline" | "doubt" | "changed" | "not_received" | "decided" | "refused";
/** Sentences with one value in braces. A translation may move it, not drop it. */
type Templates =
  /** `{value}`; both halves of the pair are whole, so that a language may bend them. */
  | "was"
  | "now"
  | "itWas"
  | "maskedHelp"
  /** `{word}`: what to type. */
  | "typeWord"
  /** `{value}`: the label of a row. */
  | "openFirst"
  | "inZone"
  /** `{time}`: a date and a time. */
  | "openUntil"
  | "waitsUntil"
  | "confirmedAt"
  | "expiredAt"
  /** `{time}`: a duration. */
  | "timeLeft"
  | "lastTime"
  | "withdrawnBecause";
type Words =
  | "withdrawn"
  | "whatChanges"
  | "details"
  | "notShown"
  | "none"
  | "irreversible"
  | "invisible"
  | "change"
  | "youChanged"
  | "changedSince"
  | "alsoChanged"
  | "save"
  | "discard"
  | "saveFirst"
  | "choose"
  | "yes"
  | "no"
  | "verify"
  | "showLess"
  | "typeWordHelp"
  | "covered"
  | "framed"
  | "moreTime"
  | "resultHere"
  | "nothingChanged"
  | "nothingSent"
  | "pendingBody"
  | "unknownBody"
  | "unknownFoot"
  | "nextCheck"
  | "reference"
  | "copy"
  | "print";

/**
 * The card's own words in one language. What a tool does (title, labels, the words on the two buttons) comes with the
 * card instead.
 */
export type Messages = {
  readonly [key in "locale" | StateWords | OtherWords | BusyWords | Notices | Templates | Words]: string;
} & {
  readonly invisibleCount: Plural;
  readonly cannotSave: Plural;
  readonly showMore: Plural;
  readonly unchanged: Plural;
  /** `{limit}`: what the entry broke. */
  readonly faults: { readonly [code in Exclude<Fault["code"], "refused">]: string };
  /** By the code of the wire; `refused` for the rest. */
  readonly refusals: { readonly [code: string]: string };
  /** By the write's reason; `other` for the rest. */
  readonly superseded: { readonly other: string; readonly [reason: string]: string };
  readonly ended: { readonly [reason in SessionEnd]: string };
};

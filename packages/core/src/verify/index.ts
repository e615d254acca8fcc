export type {
  Anchor,
  JournalProof,
  ProofFault,
  ProvenDecision,
  ProvenRun,
  ProvenVersion,
} from "./proof.ts";
export { verifyJournal } from "./verify-journal.ts";

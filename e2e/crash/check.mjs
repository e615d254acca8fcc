import { createHash } from "node:crypto";
import { canonical } from "@countersign/core";

const sha256 = (text) => createHash("sha256").update(text, "utf8").digest("hex");

/** What is wrong with an exported journal: a break in its numbers or hashes, or a run without a decision. */
export function journalFaults({ writeId, head, events }) {
  const faults = [];
  let prev = "0".repeat(64);
  events.forEach(({ hash, plain, ...rest }, index) => {
    if (rest.seq !== index + 1) faults.push(`${writeId}: event ${rest.seq} stands at place ${index + 1}`);
    if (rest.prev !== prev) faults.push(`${writeId}: event ${rest.seq} does not follow the one before`);
    if (sha256(canonical(rest)) !== hash) faults.push(`${writeId}: event ${rest.seq} has another hash`);
    for (const [name, commit] of Object.entries(rest.commits)) {
      if (sha256(plain.salt + canonical(plain[name])) !== commit)
        faults.push(`${writeId}: event ${rest.seq}: ${name} is not what was committed to`);
    }
    prev = hash;
  });
  if (prev !== head) faults.push(`${writeId}: the head is another`);
  const types = events.map((event) => event.type);
  const started = types.indexOf("started");
  if (started >= 0 && types[started - 1] !== "confirmed") faults.push(`${writeId}: a run without a decision`);
  return faults;
}

/** True when something will still happen to the write by itself, or a person was told to look. */
export function hasNextStep(write) {
  switch (write.state) {
    case "unknown":
    case "pending":
      return write.nextCheckAt !== null || write.needsAttention;
    case "proposed":
    case "running":
    case "awaiting_verification":
      return true;
    default:
      return true;
  }
}

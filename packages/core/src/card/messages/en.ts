import type { Catalogue } from "./catalogue.ts";

/** English. */
export const en: Catalogue = {
  confirm: "Confirm",
  decline: "Cancel",
  yes: "Yes",
  no: "No",
  between: (least, most) => `at least ${least}, at most ${most}`,
  scope: { add: "To add", change: "To change", remove: "To remove", items: "Affected" },
  receipts: {
    applied: "Done.",
    not_applied: "Not done. Nothing was changed.",
    pending: "Accepted, and not finished yet.",
    unknown: "It may or may not have gone through.",
    declined: "You decided against it. Nothing was changed.",
  },
  checking: "This is being checked.",
  states: {
    proposed: "You have not decided yet. Nothing has changed.",
    running: "You confirmed. It is being sent, and the result is not known yet.",
    awaiting_verification: "You confirmed, and have to verify that it is you first. Nothing has changed.",
    pending: "Accepted, and not finished yet.",
    unknown: "It may or may not have gone through. This is being checked.",
    applied: "Done.",
    not_applied: "Not done. Nothing was changed.",
    declined: "You decided against it. Nothing was changed.",
    expired: "The time to decide is over. Nothing was changed.",
    withdrawn: "It was withdrawn. Nothing was changed.",
    superseded: "It was set aside. Nothing was changed.",
  },
  chat: {
    answered: "You already answered this.",
    notHere: "This button is not for this chat, so nothing was done.",
    changed: "Something changed in the meantime. Please look at the new message.",
    tryLater: "This cannot be checked right now, and nothing was changed. Please tap again in a moment.",
  },
};

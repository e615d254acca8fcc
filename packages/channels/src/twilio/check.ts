import type { SetupContext, SetupProblem } from "@countersign/core";
import { unanswered } from "../base/post.ts";
import { problem, unreached } from "../base/problem.ts";
import { idAt } from "../base/walk.ts";
import { type TwilioSender, unlessStopped } from "./send.ts";

function problemOf(error: unknown): SetupProblem {
  const status = Number(idAt(error, "status") ?? 0);
  const code = idAt(error, "code");
  if (status === 401 || code === "20003") {
    return problem(
      "Twilio does not take the credentials",
      "accountSid, or the first authToken",
      "copy both from Twilio's console",
    );
  }
  if (status > 0) {
    const which = code === undefined ? "" : `, code ${code}`;
    return problem(
      `Twilio could not tell about its senders (HTTP ${status}${which})`,
      "Twilio",
      "check again later",
    );
  }
  const posted = unanswered(error);
  return unreached("Twilio", posted.kind === "answer" ? "error" : posted.detail, "baseUrl");
}

const ready = ["ONLINE", "ONLINE:UPDATING"];

type Found = Awaited<
  ReturnType<TwilioSender["client"]["messaging"]["v2"]["channelsSenders"]["list"]>
>[number];

function checkSender(found: Found, address: string): readonly SetupProblem[] {
  const problems: SetupProblem[] = [];
  const { status } = found;
  if (!ready.includes(status)) {
    const next = "see the reason at Twilio's console, and bring it online";
    problems.push(problem(`the sender is not online (${status})`, "the sender at Twilio", next));
  }
  // What stands behind a # tells Twilio how to connect, and is not sent.
  const [callback = ""] = (found.webhook?.callbackUrl ?? "").split("#");
  if (callback !== address) {
    problems.push(
      problem(
        callback === ""
          ? "the sender has no webhook for incoming messages: taps arrive nowhere"
          : "the sender's webhook for incoming messages is another address: taps do not arrive here",
        "the sender's webhook at Twilio, or the option publicUrl",
        `set it to ${address}`,
      ),
    );
  }
  if ((found.webhook?.callbackMethod || "POST") !== "POST") {
    const where = "the sender's webhook at Twilio";
    problems.push(problem("the sender's webhook is not called by POST", where, "set its method to POST"));
  }
  return problems;
}

async function ask(sender: TwilioSender, webhookPath: string): Promise<readonly SetupProblem[]> {
  try {
    const senders = await sender.client.messaging.v2.channelsSenders.list({ channel: "whatsapp" });
    const found = senders.find(({ senderId }) => senderId === sender.from);
    if (found === undefined) {
      return [
        problem(
          "the account has no such WhatsApp sender",
          "from",
          "take one of the account's senders; the sandbox's is not listed, and cannot be checked",
        ),
      ];
    }
    return checkSender(found, sender.publicUrl + webhookPath);
  } catch (error) {
    return [problemOf(error)];
  }
}

/**
 * Checks a sender at Twilio: credentials, that it is there and online, and its webhook for incoming messages.
 *
 * Twilio, "Senders API" (public beta), read 2026-12-01. Where statuses go is named with every message, so the sender's own
 * setting does not count. Not told: whether a messaging service takes incoming messages away from the sender, whether a
 * shared key signs its webhooks, and anything of the sandbox.
 */
export async function checkTwilio(
  sender: TwilioSender,
  { webhookPath, signal }: SetupContext,
): Promise<readonly SetupProblem[]> {
  const stopped = [unreached("Twilio", "the wait was ended", "baseUrl")];
  return await unlessStopped(ask(sender, webhookPath), signal, stopped);
}

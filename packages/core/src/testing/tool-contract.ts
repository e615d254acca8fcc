import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { deepFreeze, type JsonObject } from "../base/json.ts";
import { composeCard } from "../card/compose.ts";
import { hasDrifted } from "../flow/drift.ts";
import { checkPlan } from "../tool/check-plan.ts";
import type { ReadContext, WriteContext, WriteTool } from "../tool/define.ts";
import { isOutcome, type Outcome, outcomeKind } from "../tool/outcome.ts";
import type { CheckedPlan } from "../tool/plan.ts";

/** A write tool under test, against a test account of its provider. */
export type ToolSubject = {
  readonly tool: WriteTool;
  /** Arguments of a write that the provider makes. Called for each case, so that each may have an order of its own. */
  arguments(): unknown | Promise<unknown>;
  /** How many changes the provider has made so far, by whatever it can be counted. */
  effects(): number | Promise<number>;
  readonly secrets?: { readonly [name: string]: string };
  readonly customer?: ReadContext["customer"];
};

/** One promise of a write tool. `run` rejects when the tool breaks it. */
export type ToolCase = { readonly name: string; run(): Promise<void> };

// Of real time: an aborted call that takes longer is one that does not listen.
const promptMs = 5000;

function makeContext(subject: ToolSubject, rest: Partial<WriteContext> = {}): WriteContext {
  const { secrets = {}, customer = null } = subject;
  return {
    signal: new AbortController().signal,
    secrets: {
      get(name) {
        const secret = Object.hasOwn(secrets, name) ? secrets[name] : undefined;
        assert.ok(secret !== undefined, `the tool asks for the secret "${name}"; give it in "secrets"`);
        return secret;
      },
    },
    customer,
    conversationId: "tool-contract",
    idempotencyKey: randomUUID(),
    attempt: 1,
    plan: null,
    beginWrite: () => {},
    ...rest,
  };
}

async function parsed(subject: ToolSubject): Promise<JsonObject> {
  const answer = await subject.tool.parseInput(await subject.arguments());
  assert.ok(
    "args" in answer,
    `the arguments are refused: ${JSON.stringify("issues" in answer && answer.issues)}`,
  );
  return deepFreeze(answer.args);
}

async function planOf(subject: ToolSubject, args: JsonObject): Promise<CheckedPlan | null> {
  const { tool } = subject;
  if (!tool.preview) return null;
  const found = await tool.preview(args, makeContext(subject));
  assert.ok(!isOutcome(found), "the preview refuses arguments of a write that the provider makes");
  const plan = checkPlan(tool.name, found, { madeAt: 0, validSeconds: 900 });
  assert.notEqual(plan, "noop", "the preview finds nothing to do for a write that the provider makes");
  return deepFreeze(plan as CheckedPlan);
}

/** Runs the handler as an engine does, and answers with the kind of its outcome. */
async function handled(subject: ToolSubject, args: JsonObject, context: WriteContext): Promise<string> {
  const { tool } = subject;
  const value = await tool.handler(args, context);
  const kind = outcomeKind(value) ?? "applied";
  if (kind !== "applied") return kind;
  const result = isOutcome(value) ? (value as Outcome<unknown> & { value: unknown }).value : value;
  const answer = await tool.parseOutput(result);
  assert.ok(
    "value" in answer,
    `the result does not fit "output": ${JSON.stringify("issues" in answer && answer.issues)}`,
  );
  return kind;
}

async function ask(subject: ToolSubject, context: WriteContext): Promise<string> {
  const { status } = subject.tool;
  try {
    const said = await status?.({ operationRef: undefined }, context);
    return outcomeKind(said) ?? "no outcome";
  } catch {
    return "threw";
  }
}

function previewCases(subject: ToolSubject): readonly ToolCase[] {
  if (!subject.tool.preview) return [];
  return [
    {
      name: "its preview changes nothing",
      async run() {
        const before = await subject.effects();
        await planOf(subject, await parsed(subject));
        assert.equal(await subject.effects(), before);
      },
    },
    {
      name: "its preview finds the same twice, so that what is shown can be confirmed",
      async run() {
        const args = await parsed(subject);
        const [first, second] = [await planOf(subject, args), await planOf(subject, args)];
        assert.ok(!hasDrifted(first ?? undefined, second ?? undefined, 0), "two looks at the same differ");
      },
    },
  ];
}

function statusCases(subject: ToolSubject): readonly ToolCase[] {
  if (!subject.tool.status) return [];
  return [
    {
      name: "its status handler finds a change whose reply was lost",
      async run() {
        const args = await parsed(subject);
        const context = makeContext(subject, { plan: await planOf(subject, args) });
        await handled(subject, args, context);
        const said = await ask(subject, context);
        assert.ok(["applied", "pending", "threw"].includes(said), `it was changed, and status says ${said}`);
      },
    },
    {
      name: "its status handler does not say of a request that was never sent that it was made",
      async run() {
        const said = await ask(subject, makeContext(subject));
        assert.ok(said === "rejected" || said === "threw", `nothing was sent, and status says ${said}`);
      },
    },
  ];
}

/**
 * What every write tool promises, as cases for any test runner: `for (const { name, run } of toolContract(subject)) test(name, run)`.
 * They run the handler for real; point the tool at a test account.
 */
export function toolContract(subject: ToolSubject): readonly ToolCase[] {
  const { tool } = subject;
  return [
    {
      name: "every argument has a place on the card, or is left out on purpose",
      async run() {
        const card = composeCard(tool, await parsed(subject), { locale: "en", timeZone: "UTC" });
        const forgotten = card.details.filter(({ omitted }) => !omitted).map(({ argument }) => argument);
        assert.deepEqual(forgotten, []);
      },
    },
    {
      name: "an argument that it does not know is refused",
      async run() {
        const given = (await subject.arguments()) as object;
        assert.ok("issues" in (await tool.parseInput({ ...given, "not an argument": true })));
      },
    },
    {
      name: "its handler makes one change, leaves its arguments alone and returns what output describes",
      async run() {
        const args = await parsed(subject);
        const plan = await planOf(subject, args);
        const before = await subject.effects();
        const kind = await handled(subject, args, makeContext(subject, { plan }));
        assert.ok(kind === "applied" || kind === "pending", `the handler ended as ${kind}`);
        assert.equal((await subject.effects()) - before, 1);
      },
    },
    {
      name: "a second attempt under the same key changes nothing more",
      async run() {
        const args = await parsed(subject);
        const context = makeContext(subject, { plan: await planOf(subject, args) });
        await handled(subject, args, context);
        const once = await subject.effects();
        // However it ends: a provider may also refuse the repeat.
        await handled(subject, args, { ...context, attempt: 2 }).catch(() => undefined);
        assert.equal(await subject.effects(), once);
      },
    },
    {
      name: "its handler ends soon once its signal is aborted",
      async run() {
        const args = await parsed(subject);
        const controller = new AbortController();
        controller.abort(new Error("the time is over"));
        const { signal } = controller;
        const running = handled(
          subject,
          args,
          makeContext(subject, { signal, plan: await planOf(subject, args) }),
        );
        let timer: NodeJS.Timeout | undefined;
        const late = new Promise<"late">((resolve) => {
          timer = setTimeout(resolve, promptMs, "late");
        });
        const ended = await Promise.race([running.catch(() => "threw"), late]);
        clearTimeout(timer);
        assert.notEqual(ended, "late", `it was still running ${promptMs} ms after its signal was aborted`);
      },
    },
    ...previewCases(subject),
    ...statusCases(subject),
  ];
}

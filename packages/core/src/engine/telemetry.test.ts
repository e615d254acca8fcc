import { SpanStatusCode } from "@opentelemetry/api";
import {
  AggregationTemporality,
  InMemoryMetricExporter,
  MeterProvider,
  PeriodicExportingMetricReader,
} from "@opentelemetry/sdk-metrics";
import {
  BasicTracerProvider,
  InMemorySpanExporter,
  SimpleSpanProcessor,
} from "@opentelemetry/sdk-trace-base";
import { expect, test } from "vitest";
import { call, cardOf, confirm, granted, makeScene, quietLogger, signIn, writeIn } from "./fixtures.ts";
import { observeEngine } from "./telemetry.ts";

function collecting() {
  const spans = new InMemorySpanExporter();
  const tracer = new BasicTracerProvider({ spanProcessors: [new SimpleSpanProcessor(spans)] }).getTracer(
    "test",
  );
  const exporter = new InMemoryMetricExporter(AggregationTemporality.CUMULATIVE);
  const reader = new PeriodicExportingMetricReader({ exporter, exportIntervalMillis: 2 ** 30 });
  const meter = new MeterProvider({ readers: [reader] }).getMeter("test");
  const points = async () => {
    await reader.forceFlush();
    const metrics = exporter.getMetrics().at(-1)?.scopeMetrics[0]?.metrics ?? [];
    return Object.fromEntries(
      metrics.map(({ descriptor, dataPoints }) => [
        descriptor.name,
        dataPoints.map(({ attributes, value }) => [
          attributes,
          typeof value === "number" ? value : { count: (value as { count: number }).count },
        ]),
      ]),
    );
  };
  return { spans, telemetry: { tracer, meter }, points };
}

test("WATCH-4 spans and metrics follow from what listeners are told, with names and states and nothing said", async () => {
  const canary = "canary-7f3a";
  const { spans, telemetry, points } = collecting();
  const receivers = [{ name: "bot", receive: async () => ({ kind: "received" }) as const }];
  const scene = makeScene({ receivers, logger: quietLogger });
  const stop = observeEngine(scene.engine, telemetry);
  scene.handler = () => {
    throw new RangeError(canary);
  };
  const session = await signIn(scene, `cus_${canary}`);
  const { id } = writeIn(await call(scene, "cancel_order", { orderId: canary, reason: "late" }));
  granted(await confirm(scene, session, await cardOf(scene, session)));
  await scene.engine.runDue();
  stop();
  await scene.clock.advance(6000);
  await scene.engine.runDue();

  const finished = spans.getFinishedSpans();
  expect(finished.map(({ name, attributes, status }) => [name, attributes, status.code])).toEqual([
    [
      "countersign.handler",
      { "countersign.tool": "cancel_order", "countersign.ending": "threw", "countersign.write_id": id },
      SpanStatusCode.ERROR,
    ],
    ...Array(2).fill([
      "countersign.tell",
      { "countersign.receiver": "bot", "countersign.result": "received", "countersign.write_id": id },
      SpanStatusCode.UNSET,
    ]),
  ]);
  const metrics = await points();
  expect(metrics).toEqual({
    "countersign.events": [
      [{ tool: "cancel_order", event: "proposed", state: "proposed" }, 1],
      [{ tool: "cancel_order", event: "confirmed", state: "running" }, 1],
      [{ tool: "cancel_order", event: "started", state: "running" }, 1],
      [{ tool: "cancel_order", event: "settled", state: "unknown", outcome: "unknown" }, 1],
    ],
    "countersign.call.duration": [[{ tool: "cancel_order", what: "handler", ending: "threw" }, { count: 1 }]],
    "countersign.tellings": [[{ receiver: "bot", result: "received" }, 2]],
    "countersign.faults": [[{ error: "RangeError" }, 1]],
  });
  const told = JSON.stringify([finished.map(({ attributes, name }) => [attributes, name]), metrics]);
  expect(told).not.toContain(canary);
});

import type { Cancel } from "../base/clock.ts";
import type { Engine } from "./engine.ts";
import type { EngineEvent } from "./observe.ts";

type Attributes = { [name: string]: string | number | boolean };

/** What is used of a `Tracer` of `@opentelemetry/api`, whose own satisfies this. Times are milliseconds since 1970. */
export type TelemetryTracer = {
  startSpan(
    name: string,
    options: { readonly startTime: number; readonly attributes: Attributes },
  ): {
    setStatus(status: { readonly code: number }): unknown;
    end(endTime: number): void;
  };
};

/** What is used of a `Meter` of `@opentelemetry/api`, whose own satisfies this. */
export type TelemetryMeter = {
  createCounter(
    name: string,
    options: { readonly description: string },
  ): { add(value: number, attributes: Attributes): void };
  createHistogram(
    name: string,
    options: { readonly description: string; readonly unit: string },
  ): { record(value: number, attributes: Attributes): void };
};

// SpanStatusCode.ERROR of @opentelemetry/api 1.9 (read November 2026).
const errorStatus = 2;

function traceEvent(tracer: TelemetryTracer, event: EngineEvent): void {
  if (event.type !== "called" && event.type !== "told") return;
  const { at, durationMs, writeId } = event;
  const isCall = event.type === "called";
  const attributes: Attributes = isCall
    ? { "countersign.tool": event.tool, "countersign.ending": event.ending }
    : { "countersign.receiver": event.receiver, "countersign.result": event.result };
  if (writeId !== null) attributes["countersign.write_id"] = writeId;
  const name = isCall ? `countersign.${event.what}` : "countersign.tell";
  const span = tracer.startSpan(name, { startTime: at - durationMs, attributes });
  const failed = isCall ? event.ending !== "returned" : event.result !== "received";
  if (failed) span.setStatus({ code: errorStatus });
  span.end(at);
}

function measure(meter: TelemetryMeter): (event: EngineEvent) => void {
  const recorded = meter.createCounter("countersign.events", {
    description: "Events recorded in the journals of writes",
  });
  const calls = meter.createHistogram("countersign.call.duration", {
    description: "How long tools' handlers, status handlers, previews and reads took",
    unit: "s",
  });
  const tellings = meter.createCounter("countersign.tellings", {
    description: "Attempts to tell a receiver of a write",
  });
  const faults = meter.createCounter("countersign.faults", {
    description: "Failures that nobody waited for",
  });
  return (event) => {
    switch (event.type) {
      case "recorded": {
        const { tool, event: what, state, outcome } = event;
        recorded.add(1, { tool, event: what, state, ...(outcome !== null && { outcome }) });
        break;
      }
      case "called":
        calls.record(event.durationMs / 1000, { tool: event.tool, what: event.what, ending: event.ending });
        break;
      case "told":
        tellings.add(1, { receiver: event.receiver, result: event.result });
        break;
      case "fault":
        faults.add(1, { error: event.error });
    }
  };
}

/**
 * Makes OpenTelemetry spans and metrics of what an engine does in this process; hand it what your own
 * `trace.getTracer("countersign")` and `metrics.getMeter("countersign")` give. The answer ends it.
 *
 * Spans: `countersign.handler`, `.status`, `.preview`, `.read`, `.tell`. Metrics: `countersign.events`, `.call.duration` (s),
 * `.tellings`, `.faults`. Labels are names and states only; write ids stand on spans, not on metrics.
 */
export function observeEngine(
  engine: Pick<Engine, "on">,
  telemetry: { readonly tracer?: TelemetryTracer; readonly meter?: TelemetryMeter },
): Cancel {
  const { tracer, meter } = telemetry;
  const count = meter && measure(meter);
  return engine.on((event) => {
    if (tracer) traceEvent(tracer, event);
    count?.(event);
  });
}

import { z } from "zod";
import { problem } from "./problem.ts";
import type { Route } from "./route.ts";
import { json, route } from "./route.ts";

const status = z.object({ status: z.literal("ok") });

/** Whether the process lives and can serve. */
export const healthRoutes: readonly Route[] = [
  route({
    method: "GET",
    path: "/healthz",
    name: "readHealth",
    summary: "Whether the process lives.",
    credential: "none",
    answers: { 200: { description: "It lives.", schema: status } },
    problems: [],
    run: async () => json({ status: "ok" }),
  }),
  route({
    method: "GET",
    path: "/readyz",
    name: "readReadiness",
    summary: "Whether the store answers and its schema fits.",
    credential: "none",
    answers: { 200: { description: "It can serve.", schema: status } },
    problems: ["not_ready"],
    async run({ engine, handling }) {
      try {
        await engine.ready();
      } catch (error) {
        handling.logger.fault({ requestId: crypto.randomUUID(), route: "GET /readyz", error });
        return problem("not_ready");
      }
      return json({ status: "ok" });
    },
  }),
];

import { z } from "zod";
import { agentRoutes } from "./agent-routes.ts";
import { channelRoutes } from "./channel-routes.ts";
import { customerRoutes } from "./customer-routes.ts";
import { healthRoutes } from "./health-routes.ts";
import { hostRoutes } from "./host-routes.ts";
import { openApiDocument } from "./openapi.ts";
import { operatorRoutes } from "./operator-routes.ts";
import { reviewRoutes } from "./review-routes.ts";
import type { Route } from "./route.ts";
import { json, route } from "./route.ts";

let document: object | undefined;

const documentRoute = route({
  method: "GET",
  path: "/openapi.json",
  name: "readOpenApi",
  summary: "This description.",
  credential: "none",
  answers: {
    200: { description: "An OpenAPI 3.1 document.", schema: z.looseObject({ openapi: z.string() }) },
  },
  problems: [],
  async run() {
    document ??= openApiDocument(routes);
    return json(document);
  },
});

/** Every endpoint. */
export const routes: readonly Route[] = [
  ...agentRoutes,
  ...hostRoutes,
  ...customerRoutes,
  ...operatorRoutes,
  ...channelRoutes,
  ...reviewRoutes,
  ...healthRoutes,
  documentRoute,
];

/** What stands at a path: the routes by method, and the text in place of the braces. */
export type Found = { readonly id: string; readonly byMethod: ReadonlyMap<string, Route> };

type Place = { readonly before: string; readonly after: string; readonly byMethod: Map<string, Route> };

function placesOf(list: readonly Route[]): readonly Place[] {
  const places = new Map<string, Place>();
  for (const one of list) {
    const [before = "", after = ""] = one.path.split(/\{\w+\}/);
    const shape = one.path.includes("{") ? `${before}*${after}` : before;
    const place = places.get(shape) ?? {
      before,
      after: one.path.includes("{") ? after : "\0",
      byMethod: new Map(),
    };
    place.byMethod.set(one.method, one);
    places.set(shape, place);
  }
  return [...places.values()];
}

const places = placesOf(routes);

/** Finds what stands at `path`, or undefined. The id is as in the path: still percent-encoded. */
export function findRoutes(path: string): Found | undefined {
  for (const { before, after, byMethod } of places) {
    if (after === "\0") {
      if (path === before) return { id: "", byMethod };
    } else if (
      path.startsWith(before) &&
      path.endsWith(after) &&
      path.length > before.length + after.length
    ) {
      const id = path.slice(before.length, path.length - after.length);
      if (!id.includes("/")) return { id, byMethod };
    }
  }
  return undefined;
}

import { readFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { serveStatic } from "@hono/node-server/serve-static";
import { Hono } from "hono";

const contentSecurityPolicy = [
  "default-src 'self'",
  "img-src 'self' data:",
  "frame-ancestors 'none'",
  "base-uri 'none'",
  "form-action 'none'",
].join("; ");

const cardScript = "@countersign/review-card/review-card.global.js";

/** Everything of the playground beside Countersign's own paths: the bot's backend under `/bot` and the built page. */
export function createWebApp(options: { readonly bot: Hono; readonly webFolder: string }): Hono {
  const app = new Hono();
  app.route("/bot", options.bot);
  app.use(async (c, next) => {
    await next();
    const named = c.req.path.startsWith("/assets/");
    c.header("cache-control", named ? "public, max-age=31536000, immutable" : "no-cache");
    c.header("content-security-policy", contentSecurityPolicy);
    c.header("referrer-policy", "no-referrer");
    c.header("x-content-type-options", "nosniff");
  });
  // What a page without React loads: one file of the card's package, as it is published.
  app.get("/plain/review-card.global.js", async (c) => {
    const text = await readFile(fileURLToPath(import.meta.resolve(cardScript)), "utf8");
    return c.body(text, 200, { "content-type": "text/javascript; charset=utf-8" });
  });
  // One page with three views.
  for (const view of ["/phones", "/gallery"]) {
    app.get(view, serveStatic({ root: options.webFolder, path: "index.html" }));
  }
  app.use(serveStatic({ root: options.webFolder }));
  return app;
}

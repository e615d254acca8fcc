import { readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { reviewPage } from "@countersign/review-card/review-page";

const require = createRequire(import.meta.url);
const script = "@countersign/review-card/review-page.global.js";

let read: Promise<string> | undefined;

/** The page that links in chats lead to, and its one script; undefined for any other path. */
export async function answerReviewPage({ method, url }: Request): Promise<Response | undefined> {
  const { pathname } = new URL(url);
  if (method !== "GET" && method !== "HEAD") return undefined;
  if (pathname === "/review") {
    const { html, headers } = reviewPage();
    return new Response(method === "HEAD" ? null : html, { headers });
  }
  if (pathname !== "/review/page.js") return undefined;
  read ??= readFile(require.resolve(script), "utf8");
  const headers = { "content-type": "text/javascript; charset=utf-8", "cache-control": "no-cache" };
  return new Response(method === "HEAD" ? null : await read, { headers });
}

import { setMaxListeners } from "node:events";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import type { Receiver, ServerConfig } from "@countersign/core";
import { ConfigurationError, createEngine } from "@countersign/core";
import { createHandler, outcomeWebhook, webhookListener } from "@countersign/http";
import { getRequestListener } from "@hono/node-server";
import { checkConfig } from "./check-config.ts";
import { answerReviewPage } from "./review-page.ts";

/**
 * What a process is there for. `web` answers requests and runs what they confirm; `worker` does what falls due and makes
 * deliveries, and answers /healthz and /readyz only; `all` does both. Any number of each may share a store.
 */
export type Role = "web" | "worker" | "all";

/** Where and how a configuration is served. */
export type ServeOptions = {
  /** Default: 4820. 0 takes any free port. */
  readonly port?: number;
  /** Default: 127.0.0.1, so that only this machine can reach it. */
  readonly host?: string;
  /** Default: `all`. */
  readonly role?: Role;
  /** Answers what the API does not: every path outside of /v1, /healthz, /readyz and /openapi.json. */
  readonly fallback?: (request: Request) => Promise<Response> | Response;
};

/** A server that listens. */
export type RunningServer = {
  /** Without a slash at the end. */
  readonly url: string;
  /**
   * Stops accepting, finishes what runs, answers who waits, ends event streams, and closes the store: within `graceMs`,
   * default 30 s. Runs that take longer are left to their lease, and what became of them is found out at the next start.
   */
  close(options?: { readonly graceMs?: number }): Promise<void>;
};

const graceMs = 30_000;
/** After everything that ran has ended: how long answers may take to reach their readers. */
const lastAnswersMs = 2_000;
const healthPaths = ["/healthz", "/readyz"];
const apiPaths = [...healthPaths, "/openapi.json"];

function isApi(request: Request): boolean {
  const { pathname } = new URL(request.url);
  return pathname.startsWith("/v1/") || apiPaths.includes(pathname);
}

function problem(
  {
    status,
    code,
    title,
    detail,
  }: { readonly [name in "code" | "title" | "detail"]: string } & {
    readonly status: number;
  },
  headers: { readonly [name: string]: string },
): Response {
  const body = { type: `urn:countersign:problem:${code}`, title, status, code, detail };
  return new Response(JSON.stringify(body), {
    status,
    headers: { "content-type": "application/problem+json", "cache-control": "no-store", ...headers },
  });
}

function stopping(): Response {
  const detail = "Send it again in a moment; another process answers it then.";
  const about = { status: 503, code: "stopping", title: "The server is stopping", detail };
  return problem(about, { "retry-after": "2", connection: "close" });
}

/** What a worker says to whoever takes it for a web server. */
function onlyWorks(): Response {
  const detail = "This process is a worker; send it to one that is served with --role web or all.";
  return problem({ status: 404, code: "not_found", title: "There is nothing at this address", detail }, {});
}

function isHealth(request: Request): boolean {
  return healthPaths.includes(new URL(request.url).pathname);
}

async function listen(server: Server, port: number, host: string): Promise<string> {
  await new Promise<void>((resolve, reject) => {
    server.once("error", (error: NodeJS.ErrnoException) => {
      const what: Record<string, string> = {
        EADDRINUSE: "the port is in use: stop what uses it, or choose another with --port",
        EACCES: "this port is not allowed: choose one above 1023 with --port",
        EADDRNOTAVAIL: "this machine has no such address: choose another with --host",
        ENOTFOUND: "no such host name is known: choose another with --host",
      };
      const message =
        what[error.code ?? ""] ?? `${error.code ?? error.name}: choose another --port or --host`;
      reject(new ConfigurationError(`cannot listen on ${host} port ${port}: ${message}`, { cause: error }));
    });
    server.listen(port, host, resolve);
  });
  const { address, port: taken, family } = server.address() as AddressInfo;
  return `http://${family === "IPv6" ? `[${address}]` : address}:${taken}`;
}

/** Resolves after `ms`, or when `work` ends, whichever is first. */
async function atMost(ms: number, work: Promise<unknown>): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, ms);
  });
  await Promise.race([work.catch(() => undefined), late]);
  clearTimeout(timer);
}

/** Lets go of connections as they fall idle; the interval also keeps the process awake until it is cleared. */
function sweepIdle(server: Server): () => void {
  const sweep = setInterval(() => server.closeIdleConnections(), 20);
  return () => clearInterval(sweep);
}

/** Who a configuration wants to be told of outcomes. */
function receiversOf({
  onOutcome,
  outcomeWebhooks = [],
}: Pick<ServerConfig, "onOutcome" | "outcomeWebhooks">): Receiver[] {
  const webhooks = outcomeWebhooks.map((webhook, index) =>
    outcomeWebhook(webhook, `the configuration, outcomeWebhooks[${index}]`),
  );
  if (!onOutcome) return webhooks;
  const call: Receiver = {
    name: "onOutcome",
    async receive({ write }) {
      await onOutcome(write);
      return { kind: "received" };
    },
  };
  return [call, ...webhooks];
}

/**
 * Serves a configuration on Node and, unless it is only a web server, starts doing what is due. Resolves when it listens.
 *
 * Rejects with ConfigurationError, and has nothing left open, when the configuration is wrong, the store does not
 * answer, or the port cannot be taken. The configuration's store belongs to the server from then on: `close` closes it.
 */
export async function serveConfig(config: ServerConfig, options: ServeOptions = {}): Promise<RunningServer> {
  const { port = 4820, host = "127.0.0.1", role = "all", fallback } = options;
  const { apiKeys, sessionSecret, allowedOrigins, ...engineOptions } = checkConfig(
    config,
    "the configuration",
  );
  const closing = new AbortController();
  // One listener for each stream and each long wait: as many as there are customers, which is no leak.
  setMaxListeners(0, closing.signal);
  const receivers = receiversOf(config);
  const engine = createEngine({ ...engineOptions, receivers });
  const handler = createHandler(engine, {
    apiKeys,
    sessionSecret,
    closing: closing.signal,
    ...(allowedOrigins === undefined ? {} : { allowedOrigins }),
  });

  const outliving = new Set<Promise<unknown>>();
  const hosting = {
    waitUntil(promise: Promise<unknown>): void {
      const ended = promise.finally(() => outliving.delete(ended));
      outliving.add(ended);
    },
  };
  let isStopping = false;
  const answer = getRequestListener(
    async (request) => {
      if (isStopping) return stopping();
      if (role === "worker") return isHealth(request) ? handler(request, hosting) : onlyWorks();
      const page = config.reviewUrl === undefined ? undefined : await answerReviewPage(request);
      if (page !== undefined) return page;
      return fallback === undefined || isApi(request) ? handler(request, hosting) : fallback(request);
    },
    { overrideGlobalObjects: false },
  );
  const takeWebhook = webhookListener(engine);
  const server = createServer((request, response) => {
    const mayTake = !isStopping && role !== "worker";
    if (!mayTake || !takeWebhook(request, response)) void answer(request, response);
  });
  // Longer than the idle time of common proxies (60 s), so that they never send on a connection that was just closed here.
  server.keepAliveTimeout = 65_000;

  const stop = async (ms: number): Promise<void> => {
    const deadline = performance.now() + ms;
    const left = (): number => Math.max(lastAnswersMs, deadline - performance.now());
    isStopping = true;
    const closed = new Promise<void>((resolve) => server.close(() => resolve()));
    const stopSweeping = sweepIdle(server);
    await engine.stop({ graceMs: ms });
    closing.abort();
    await atMost(left(), Promise.all([...outliving, closed]));
    server.closeAllConnections();
    await closed;
    stopSweeping();
    await config.store.close();
  };

  try {
    await engine.ready();
    const url = await listen(server, port, host);
    if (role !== "web") engine.start();
    let stopped: Promise<void> | undefined;
    return {
      url,
      close: ({ graceMs: ms = graceMs } = {}) => {
        stopped ??= stop(ms);
        return stopped;
      },
    };
  } catch (error) {
    await engine.stop({ graceMs: 0 });
    await config.store.close();
    throw error;
  }
}

import type { ServerResponse } from "node:http";
import { at, parsed, textAt } from "./json.ts";
import type { Phone } from "./phone.ts";
import type { PlatformName } from "./platform.ts";
import { answerJson } from "./server.ts";
import { parseSwitches, type Switches } from "./switches.ts";
import type { Thread, ThreadMessage } from "./thread.ts";
import type { ApiRequest } from "./wire.ts";

/** What the control API works on. */
export type Controlled = {
  phones(): readonly { readonly platform: PlatformName; readonly id: string; readonly name: string }[];
  /** The phone of somebody who is known; undefined for everybody else. */
  find(platform: string, id: string): { readonly phone: Phone; readonly thread: Thread } | undefined;
  switches(): { readonly [platform: string]: Switches };
  set(change: Partial<Switches>, platform: string | undefined): void;
};

// Any page may steer it: it runs on one's own machine and holds nothing but play.
const cors = {
  "access-control-allow-origin": "*",
  "access-control-allow-headers": "content-type, last-event-id",
  "access-control-allow-methods": "GET, POST, OPTIONS",
};

function streamOf({ since, listen }: Thread, request: ApiRequest, response: ServerResponse): void {
  const seen = Number(request.header("last-event-id") ?? request.query.get("after") ?? 0);
  response.writeHead(200, { ...cors, "content-type": "text/event-stream", "cache-control": "no-store" });
  response.flushHeaders();
  const write = (message: ThreadMessage): void => {
    response.write(`id: ${message.revision}\nevent: message\ndata: ${JSON.stringify(message)}\n\n`);
  };
  since(seen).forEach(write);
  response.on("close", listen(write));
}

function acted(phone: Phone, deed: string, body: unknown): ThreadMessage | null | undefined {
  const messageId = textAt(body, "messageId") ?? "";
  switch (deed) {
    case "tap":
      return phone.tap(messageId, Number(at(body, "button")));
    case "text":
      return phone.type(textAt(body, "text") ?? "", textAt(body, "replyTo"));
    case "reaction":
      return phone.react(messageId, textAt(body, "emoji") ?? "");
    case "forward": {
      const message = phone.messages().find(({ id }) => id === messageId);
      return message && phone.forward(message);
    }
    case "look":
      phone.look();
      return null;
    default:
      return undefined;
  }
}

function setSwitches(own: Controlled, body: unknown): { status: number; json: unknown } {
  const { platform, ...rest } = Object(body) as { platform?: unknown };
  const change = parseSwitches(rest);
  if (typeof change === "string") return { status: 400, json: { error: change } };
  if (platform !== undefined && !Object.hasOwn(own.switches(), String(platform))) {
    return { status: 404, json: { error: `no such platform: ${platform}` } };
  }
  own.set(change, platform === undefined ? undefined : String(platform));
  return { status: 200, json: own.switches() };
}

/**
 * Answers what the simulator itself is asked: `GET /phones`, `GET /phones/{platform}/{id}` (the thread), `GET …/events`
 * (its changes as server-sent events, from `Last-Event-ID` or `?after=` on), `POST …/tap` `{ messageId, button }`,
 * `POST …/text` `{ text, replyTo? }`, `POST …/reaction` `{ messageId, emoji }`, `POST …/forward` `{ messageId }`,
 * `POST …/look`, and `GET` and `POST /switches` `{ platform?, … }`. False for everything else.
 */
export function control(own: Controlled, request: ApiRequest, response: ServerResponse): boolean {
  const [, top, platform, id, deed] =
    /^\/(phones|switches)(?:\/([a-z]+)\/([^/]+)(?:\/([a-z]+))?)?$/.exec(request.path) ?? [];
  if (top === undefined) return false;
  const answer = (status: number, json: unknown): void =>
    answerJson(response, { status, json, headers: cors });
  if (request.method === "OPTIONS") {
    response.writeHead(204, cors).end();
  } else if (top === "switches") {
    if (request.method === "GET") answer(200, own.switches());
    else {
      const { status, json } = setSwitches(own, parsed(request.body));
      answer(status, json);
    }
  } else if (platform === undefined || id === undefined) {
    answer(200, { phones: own.phones() });
  } else {
    const found = own.find(platform, decodeURIComponent(id));
    if (found === undefined) answer(404, { error: "no such phone" });
    else if (request.method === "GET" && deed === "events") streamOf(found.thread, request, response);
    else if (request.method === "GET") answer(200, { platform, id, messages: found.phone.messages() });
    else {
      try {
        const message = acted(found.phone, deed ?? "", parsed(request.body));
        if (message === undefined) answer(404, { error: "no such act or message" });
        else answer(200, { message });
      } catch (error) {
        answer(400, { error: (error as Error).message });
      }
    }
  }
  return true;
}

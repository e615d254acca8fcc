import { cleanup, waitFor } from "@testing-library/react";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { defineReviewCard } from "../element/define.ts";
import { cancelOrder, exampleTime } from "../example-cards.ts";
import { type FarSide, farSide, jsonResponse } from "../far-side.ts";
import { baseOfPage } from "./code.ts";
import { startReviewPage } from "./start.ts";
import { allWords, english, wordsFor } from "./words.ts";

// These tests press by script.
vi.mock("../model/press.ts", async (original) => ({
  ...(await original<typeof import("../model/press.ts")>()),
  isByPerson: () => true,
}));

defineReviewCard();

type Asked = {
  readonly method: string;
  readonly path: string;
  readonly body: string;
  readonly address: string;
};

type Server = {
  readonly asked: Asked[];
  exchange: () => Promise<Response> | Response;
};

/** A server that speaks the review page's wire, with a write that waits behind the code. */
function reviewServer(): Server {
  const server: Server = {
    asked: [],
    exchange: () =>
      jsonResponse({ token: "t-secret", expiresAt: "2026-12-01T10:00:00.000Z", mayConfirm: true }, 201),
  };
  vi.stubGlobal("fetch", async (input: string, init: RequestInit = {}) => {
    const { pathname } = new URL(input, location.href);
    const body = typeof init.body === "string" ? init.body : "";
    server.asked.push({ method: init.method ?? "GET", path: pathname, body, address: location.href });
    if (pathname.endsWith("/v1/review-sessions")) return server.exchange();
    return far.fetch(new URL(input, location.href), init);
  });
  return server;
}

let stop = (): void => {};
const openAt = (address: string): void => {
  history.replaceState(null, "", address);
  stop = startReviewPage(window);
};
const note = (): string => document.querySelector("[role=status]")?.textContent ?? "";
const cardText = (): string => document.querySelector("review-card")?.shadowRoot?.textContent ?? "";
const buttons = (): string[] =>
  [...(document.querySelector("review-card")?.shadowRoot?.querySelectorAll("button") ?? [])].map(
    (button) => button.textContent ?? "",
  );
const decisions = (server: Server): Asked[] =>
  server.asked.filter(({ method, path }) => method !== "GET" && !path.endsWith("/review-sessions"));

let server: Server;
let far: FarSide;
beforeEach(() => {
  far = farSide();
  document.body.innerHTML = "<main></main>";
  server = reviewServer();
});
afterEach(() => {
  stop();
  document.body.innerHTML = "";
  cleanup();
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
});

describe("the review page", () => {
  it("EMBED-9 takes the code out of the address before anything is asked, and shows the card", async () => {
    openAt("/review?from=mail#code-1");
    expect(location.href).toBe(`${location.origin}/review?from=mail`);
    await waitFor(() => expect(cardText()).toContain("Cancel this order?"));
    expect(server.asked[0]).toEqual({
      method: "POST",
      path: "/v1/review-sessions",
      body: JSON.stringify({ code: "code-1" }),
      address: `${location.origin}/review?from=mail`,
    });
    expect(server.asked.filter(({ address }) => address.includes("code-1"))).toEqual([]);
    expect(document.documentElement.outerHTML).not.toMatch(/code-1|t-secret/);
    expect(note()).toBe("");
  });

  it("EMBED-9 decides nothing by being opened", async () => {
    openAt("/review#code-1");
    await waitFor(() => expect(buttons()).toContain("Cancel order"));
    expect(decisions(server)).toEqual([]);
  });

  it("EMBED-9 uses the code only once a person sees the page", async () => {
    const hidden = vi.spyOn(document, "hidden", "get").mockReturnValue(true);
    openAt("/review#code-1");
    await new Promise((resolve) => setImmediate(resolve));
    expect(server.asked).toEqual([]);
    expect(location.hash).toBe("");
    hidden.mockReturnValue(false);
    document.dispatchEvent(new Event("visibilitychange"));
    await waitFor(() => expect(cardText()).toContain("Cancel this order?"));
  });

  it("EMBED-10 tells a browser that may not confirm what it may, and where confirming happens", async () => {
    server.exchange = () => jsonResponse({ token: "t-secret", expiresAt: "", mayConfirm: false }, 201);
    openAt("/review#code-1");
    await waitFor(() => expect(buttons()).toContain("Keep order"));
    expect(buttons()).toContain("Confirm elsewhere");
    expect(buttons()).not.toContain("Cancel order");
    expect(note()).toBe(english.lookOnly);
  });

  it("EMBED-10 says what the server did about a confirm that it did not take, as long as it is so", async () => {
    server.exchange = () => jsonResponse({ token: "t-secret", expiresAt: "", mayConfirm: false }, 201);
    far.confirm = async () => jsonResponse({ code: "surface_unsupported" }, 409);
    openAt("/review#code-1");
    const find = (): HTMLButtonElement | undefined =>
      [...(document.querySelector("review-card")?.shadowRoot?.querySelectorAll("button") ?? [])].find(
        ({ textContent }) => textContent === english.elsewhere,
      );
    await waitFor(() => expect(find()?.getAttribute("aria-disabled")).toBeNull());
    find()?.click();
    await waitFor(() => expect(cardText()).toContain(english.asked));
    expect(decisions(server).map(({ path }) => path)).toEqual(["/v1/card/wr_7Q4M2KXD/confirm"]);
    far.push("card", { card: cancelOrder({ state: "applied", seq: 4 }), serverTime: exampleTime });
    await waitFor(() => expect(cardText()).toContain("Done"));
    expect(cardText()).not.toContain(english.asked);
  });

  it("EMBED-10 takes silence about it as a no", async () => {
    server.exchange = () => jsonResponse({ token: "t-secret" }, 201);
    openAt("/review#code-1");
    await waitFor(() => expect(buttons()).toContain("Confirm elsewhere"));
    expect(buttons()).not.toContain("Cancel order");
  });

  it("EMBED-11 says that a link was used before or is too old, and asks nothing more", async () => {
    server.exchange = () => jsonResponse({ code: "expired" }, 410);
    openAt("/review#code-1");
    await waitFor(() => expect(note()).toBe(english.gone));
    expect(server.asked).toHaveLength(1);
    expect(cardText()).toBe("");
  });

  it("EMBED-11 says that a link without a code is not complete", () => {
    openAt("/review");
    expect(note()).toBe(english.noCode);
    expect(server.asked).toEqual([]);
  });

  it("EMBED-11 offers another try while the server cannot be reached", async () => {
    server.exchange = () => Promise.reject(new TypeError("Failed to fetch"));
    openAt("/review#code-1");
    await waitFor(() => expect(note()).toBe(`${english.unreachable} ${english.again}`));
    server.exchange = () => jsonResponse({ token: "t-secret", mayConfirm: true }, 201);
    document.querySelector("button")?.click();
    await waitFor(() => expect(cardText()).toContain("Cancel this order?"));
    expect(server.asked.slice(0, 2).map(({ body }) => body)).toEqual(
      Array(2).fill(JSON.stringify({ code: "code-1" })),
    );
  });

  it("EMBED-11 opens another link that comes into the same tab", async () => {
    server.exchange = () => jsonResponse({ code: "expired" }, 410);
    openAt("/review#code-1");
    await waitFor(() => expect(note()).toBe(english.gone));
    server.exchange = () => jsonResponse({ token: "t-secret", mayConfirm: true }, 201);
    location.hash = "code-2";
    await waitFor(() => expect(cardText()).toContain("Cancel this order?"));
    expect(location.href).not.toContain("code-2");
  });

  it("EMBED-9 finds the API beside itself, wherever the server lives", () => {
    expect(["/review", "/review/", "/countersign/review"].map(baseOfPage)).toEqual(["", "", "/countersign"]);
  });

  it("EMBED-13 speaks the customer's language, mirrored where that is written from right to left", async () => {
    vi.spyOn(navigator, "languages", "get").mockReturnValue(["tlh", "ar-EG", "en"]);
    server.exchange = () => jsonResponse({ code: "expired" }, 410);
    openAt("/review#code-1");
    const arabic = wordsFor(["ar"]);
    await waitFor(() => expect(note()).toBe(arabic.gone));
    const { lang, dir } = document.documentElement;
    expect([lang, dir, document.title]).toEqual(["ar", "rtl", arabic.title]);
    expect(wordsFor(["tlh"])).toBe(english);
  });

  it("EMBED-13 has every sentence in eight languages, and buttons that fit", () => {
    expect(allWords.map(({ locale }) => locale)).toEqual(["en", "es", "pt", "fr", "de", "ar", "hi", "ja"]);
    const keys = Object.keys(english);
    for (const words of allWords) {
      expect(Object.keys(words)).toEqual(keys);
      expect(Object.values(words).filter((text) => text.trim() === "")).toEqual([]);
      expect(words.elsewhere.length).toBeLessThanOrEqual(20);
    }
    for (const key of keys) {
      const texts = allWords.map((words) => words[key as keyof typeof words]);
      expect(new Set(texts).size).toBe(allWords.length);
    }
  });
});

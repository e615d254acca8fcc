import { waitFor } from "@testing-library/react";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { cancelOrder, exampleTime } from "../example-cards.ts";
import { type FarSide, farSide } from "../far-side.ts";
import { addMessages, type ReviewCardElement } from "./index.ts";

let far: FarSide;
const credentials: string[] = [];

beforeEach(() => {
  far = farSide();
  credentials.length = 0;
  vi.stubGlobal("fetch", (input: string, init: RequestInit) => {
    credentials.push(new Headers(init.headers).get("authorization") ?? "");
    return far.fetch(input, init);
  });
});
afterEach(async () => {
  document.body.innerHTML = "";
  await waitFor(() => expect(far.streams()).toBe(0));
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
});

/** A card in the page, of this markup and with these properties. */
function place(attributes: string, properties: Partial<ReviewCardElement> = {}): ReviewCardElement {
  const holder = document.createElement("div");
  holder.innerHTML = `<review-card base-url="https://a.example" ${attributes}></review-card>`;
  document.body.append(holder);
  return Object.assign(holder.querySelector("review-card") as ReviewCardElement, properties);
}

const textOf = (card: ReviewCardElement): string =>
  card.shadowRoot?.querySelector(".root")?.textContent ?? "";
const shows = (card: ReviewCardElement, text: string): Promise<void> =>
  waitFor(() => expect(textOf(card)).toContain(text));

describe("<review-card>", () => {
  it("EMBED-4 takes no token from its markup, and says so without repeating it", async () => {
    const complaint = vi.spyOn(console, "error").mockReturnValue();
    const card = place('token="t-in-markup"');
    await new Promise((resolve) => setImmediate(resolve));
    expect(complaint.mock.calls).toEqual([[expect.stringContaining("Set the property instead")]]);
    expect(JSON.stringify(complaint.mock.calls)).not.toContain("t-in-markup");
    expect([far.requests, textOf(card)]).toEqual([[], ""]);
  });

  it("EMBED-4 takes a token, or a way to one, as a property that cannot be read back", async () => {
    await shows(place("", { token: "t-1" }), "Cancel this order?");
    expect(new Set(credentials)).toEqual(new Set(["Bearer t-1"]));
    const asked = place("", { getToken: async () => "t-2" });
    await shows(asked, "Cancel this order?");
    expect(credentials).toContain("Bearer t-2");
    expect(Reflect.get(asked, "token")).toBeUndefined();
    expect(document.body.innerHTML).not.toMatch(/t-1|t-2/);
  });

  it("EMBED-4 takes what a page had set before the script ran", async () => {
    const card = document.createElement("review-card") as ReviewCardElement;
    // As they stand on an element that nobody has defined yet.
    for (const [name, value] of [
      ["baseUrl", "https://a.example"],
      ["token", "t-early"],
    ] as const) {
      Object.defineProperty(card, name, { value, configurable: true, writable: true, enumerable: true });
    }
    document.body.append(card);
    await shows(card, "Cancel this order?");
    expect(Object.keys(card)).toEqual([]);
    expect(new Set(credentials)).toEqual(new Set(["Bearer t-early"]));
  });

  it("EMBED-5 shows nothing of the former session once it has another credential, or none", async () => {
    const card = place("", { token: "t-1" });
    await shows(card, "Cancel this order?");
    far.card = cancelOrder({ writeId: "wr_2", title: "Cancel the other one?" });
    card.token = "t-2";
    await waitFor(() => expect(textOf(card)).not.toContain("Cancel this order?"));
    await shows(card, "Cancel the other one?");
    expect(far.streams()).toBe(1);
    card.token = null;
    await waitFor(() => expect([textOf(card), far.streams()]).toEqual(["", 0]));
  });

  it("EMBED-5 keeps its connection when it is moved, and ends it when it is removed", async () => {
    const card = place("", { token: "t-1" });
    await shows(card, "Cancel this order?");
    await waitFor(() => expect(far.streams()).toBe(1));
    document.body.prepend(card);
    await new Promise((resolve) => setImmediate(resolve));
    expect(far.requests.filter((request) => request.endsWith("/events"))).toHaveLength(1);
    card.remove();
    await waitFor(() => expect([textOf(card), far.streams()]).toEqual(["", 0]));
    document.body.append(card);
    await shows(card, "Cancel this order?");
  });

  it("EMBED-6 tells the page of the outcome, across shadow trees, with three harmless words", async () => {
    const told: unknown[] = [];
    const hear = (event: Event): void => {
      told.push([
        event.type,
        (event as CustomEvent<unknown>).detail,
        event.composed,
        (event.target as Element).localName,
      ]);
    };
    for (const name of ["confirmed", "settled"] as const) document.addEventListener(name, hear);
    const card = place("", { token: "t-1" });
    await shows(card, "Cancel this order?");
    await waitFor(() => expect(far.streams()).toBe(1));
    far.push("card", { card: cancelOrder({ state: "applied", seq: 4 }), serverTime: exampleTime });
    await waitFor(() => expect(told).toHaveLength(2));
    const detail = { writeId: "wr_7Q4M2KXD", version: 1, state: "applied" };
    expect(told).toEqual([
      ["confirmed", detail, true, "review-card"],
      ["settled", detail, true, "review-card"],
    ]);
    for (const name of ["confirmed", "settled"] as const) document.removeEventListener(name, hear);
  });

  it("EMBED-1 follows its attributes without another request", async () => {
    const card = place('heading-level="2" theme="dark"', { token: "t-1" });
    await shows(card, "Cancel this order?");
    await waitFor(() => expect(far.streams()).toBe(1));
    const { length } = far.requests;
    const inside = (part: string): Element | null | undefined => card.shadowRoot?.querySelector(part);
    expect([inside("h2.cs-title") !== null, inside("[data-cs-theme=dark]") !== null]).toEqual([true, true]);
    card.setAttribute("theme", "sepia");
    card.headingLevel = 4;
    await waitFor(() => expect(inside("h4.cs-title")).not.toBeNull());
    expect(inside("[data-cs-theme]")).toBeNull();
    expect([card.theme, card.headingLevel]).toEqual([null, 4]);
    expect(far.requests).toHaveLength(length);
  });

  it("EMBED-1 speaks the language it is told, also when that is added later", async () => {
    const card = place('locale="fr-CA"', { token: "t-1" });
    await shows(card, "Cancel this order?");
    expect(textOf(card)).not.toContain("Modifier");
    addMessages({ locale: "fr", change: "Modifier" });
    await shows(card, "Modifier");
    card.messages = { change: "Corriger" };
    await shows(card, "Corriger");
    card.messages = null;
    card.locale = "en";
    await waitFor(() => expect(textOf(card)).not.toMatch(/Modifier|Corriger/));
  });

  it("CARD-42 takes no press inside a page of another origin, unless its own page lets it", async () => {
    const foreign = {
      get document(): Document {
        throw new DOMException("Blocked a frame from accessing a cross-origin frame.", "SecurityError");
      },
    };
    vi.spyOn(window, "parent", "get").mockReturnValue(foreign as Window & typeof globalThis);
    const card = place("", { token: "t-1" });
    await shows(card, "nothing can be confirmed inside another website");
    card.allowFraming = true;
    await waitFor(() => expect(textOf(card)).not.toContain("inside another website"));
    expect(card.hasAttribute("allow-framing")).toBe(true);
  });

  it("CARD-52 speaks the language of another region where it has none of its own", async () => {
    addMessages({ locale: "pt-BR", change: "Alterar" });
    const card = place('locale="pt-PT"', { token: "t-1" });
    await shows(card, "Alterar");
    card.locale = "pt";
    await shows(card, "Alterar");
  });
});

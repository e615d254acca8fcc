import { createElement } from "react";
import { createRoot, type Root } from "react-dom/client";
import type { Messages } from "../messages/messages.ts";
import type { CardInputs } from "../model.ts";
import { applyStyles } from "./apply-styles.ts";
import { type CardEventDetail, createCardWatch } from "./card-events.ts";
import { LiveReviewCard } from "./live-review-card.tsx";
import { type HeldCard, holdCard } from "./shared-cards.ts";

/** Finds a card session token for the customer who is signed in. Another function stands for another customer. */
export type GetToken = () => string | Promise<string>;

/** Changes what a card is given. */
export type Adapt = (inputs: CardInputs) => CardInputs;

type Held = HeldCard & {
  readonly baseUrl: string;
  readonly credential: string | GetToken;
  readonly id: number;
  readonly forget: () => void;
};

// A server that renders pages has no elements; the class can be imported there all the same.
const Base: typeof HTMLElement = globalThis.HTMLElement ?? class {};
const TellingEvent = globalThis.CustomEvent;

const properties = [
  "baseUrl",
  "locale",
  "theme",
  "headingLevel",
  "allowFraming",
  "token",
  "getToken",
] as const;
const furtherProperties = ["messages", "adapt", "onVerify", "stylesUrl"] as const;

const levels = [2, 3, 4, 5] as const;

let lastId = 0;

/**
 * `<review-card base-url="https://support.shop.example">`: the review card, with its connection, for pages without React.
 *
 * It shows nothing until it has a credential, which is handed over as a property, `token` or `getToken`: what stands in
 * the markup of a page is read by caches, extensions and whoever copies it.
 */
export class ReviewCardElement extends Base {
  static readonly observedAttributes: readonly string[] = [
    "base-url",
    "locale",
    "theme",
    "heading-level",
    "allow-framing",
    "styles-url",
    "token",
  ];

  #token: string | undefined;
  #getToken: GetToken | undefined;
  #messages: Partial<Messages> | undefined;
  #onVerify: (() => void) | undefined;
  #adapt: Adapt | undefined;
  #held: Held | undefined;
  #root: Root | undefined;
  readonly #tree: ShadowRoot;
  readonly #place: HTMLElement;

  constructor() {
    super();
    this.#tree = this.attachShadow({ mode: "open" });
    this.#place = this.ownerDocument.createElement("div");
    this.#place.className = "root";
    this.#tree.append(this.#place);
  }

  /** What `/v1/card` is appended to; empty for the page's own origin. */
  get baseUrl(): string {
    return this.getAttribute("base-url") ?? "";
  }
  set baseUrl(value: string) {
    this.setAttribute("base-url", value);
  }

  /** Whose words the card uses around what the tool says; see `addMessages`. Default: the card's own locale. */
  get locale(): string | null {
    return this.getAttribute("locale");
  }
  set locale(value: string | null) {
    this.#reflect("locale", value);
  }

  /** Default: what the customer's system prefers. */
  get theme(): "light" | "dark" | null {
    const value = this.getAttribute("theme");
    return value === "light" || value === "dark" ? value : null;
  }
  set theme(value: "light" | "dark" | null) {
    this.#reflect("theme", value);
  }

  /** Level of the title in the page's outline, 2 to 5. Default: 3. */
  get headingLevel(): 2 | 3 | 4 | 5 {
    return levels.find((level) => String(level) === this.getAttribute("heading-level")) ?? 3;
  }
  set headingLevel(value: 2 | 3 | 4 | 5) {
    this.setAttribute("heading-level", String(value));
  }

  /** Lets the card be answered inside a page of another origin, which could lead the press. Default: false. */
  get allowFraming(): boolean {
    return this.hasAttribute("allow-framing");
  }
  set allowFraming(value: boolean) {
    this.#reflect("allow-framing", value ? "" : null);
  }

  /** Where the card's style sheet lies, for a browser that lets no script make one. Default: beside the script file. */
  get stylesUrl(): string | null {
    return this.getAttribute("styles-url");
  }
  set stylesUrl(value: string | null) {
    this.#reflect("styles-url", value);
  }

  /** A card session token. It can be set and not read; `null` takes it away, and the card with it. */
  set token(value: string | null | undefined) {
    this.#token = value ?? undefined;
    this.#update();
  }

  /** Asked for a token first and whenever the session has run out. `token` goes before it. */
  get getToken(): GetToken | null {
    return this.#getToken ?? null;
  }
  set getToken(value: GetToken | null | undefined) {
    this.#getToken = value ?? undefined;
    this.#update();
  }

  /** Single sentences, or all of them, in other words. */
  get messages(): Partial<Messages> | null {
    return this.#messages ?? null;
  }
  set messages(value: Partial<Messages> | null | undefined) {
    this.#messages = value ?? undefined;
    this.#update();
  }

  /** Changes what the card is given; the review page uses it where a browser may not confirm. */
  get adapt(): Adapt | null {
    return this.#adapt ?? null;
  }
  set adapt(value: Adapt | null | undefined) {
    this.#adapt = value ?? undefined;
    this.#update();
  }

  /** Opens the page's way to sign in again. Default: a link to the card's own address for it, where it has one. */
  get onVerify(): (() => void) | null {
    return this.#onVerify ?? null;
  }
  set onVerify(value: (() => void) | null | undefined) {
    this.#onVerify = value ?? undefined;
    this.#update();
  }

  connectedCallback(): void {
    this.#takeEarlyProperties();
    applyStyles(this.#tree, this.stylesUrl ?? undefined);
    this.#update();
  }

  disconnectedCallback(): void {
    // An element that is moved leaves and comes back within the same task, and its session goes on.
    queueMicrotask(() => {
      if (this.isConnected) return;
      this.#root?.unmount();
      this.#root = undefined;
      this.#release();
    });
  }

  adoptedCallback(): void {
    applyStyles(this.#tree, this.stylesUrl ?? undefined);
  }

  attributeChangedCallback(name: string, before: string | null, value: string | null): void {
    if (name === "token") {
      if (value !== null) {
        console.error(
          "<review-card> takes no token from its markup, where others can read it. Set the property instead: element.token, or element.getToken.",
        );
      }
      return;
    }
    if (before !== value) this.#update();
  }

  #reflect(name: string, value: string | null): void {
    if (value === null) this.removeAttribute(name);
    else this.setAttribute(name, value);
  }

  /** What a page set before this script had run stands on the element itself, in the way of the properties. */
  #takeEarlyProperties(): void {
    for (const name of [...properties, ...furtherProperties]) {
      const early = Object.getOwnPropertyDescriptor(this, name);
      if (!early) continue;
      Reflect.deleteProperty(this, name);
      Reflect.set(this, name, early.value);
    }
  }

  #update(): void {
    if (!this.isConnected) return;
    const held = this.#hold();
    if (!held) {
      this.#root?.unmount();
      this.#root = undefined;
      return;
    }
    this.#root ??= createRoot(this.#place);
    this.#root.render(
      createElement(LiveReviewCard, {
        key: held.id,
        live: held.live,
        locale: this.locale ?? undefined,
        theme: this.theme ?? undefined,
        headingLevel: this.headingLevel,
        allowFraming: this.allowFraming,
        messages: this.#messages,
        adapt: this.#adapt,
        onVerify: this.#onVerify,
      }),
    );
  }

  /** The session for what the element is set to now; another server or another credential is another session. */
  #hold(): Held | undefined {
    const credential = this.#token ?? this.#getToken;
    const { baseUrl } = this;
    if (this.#held?.credential === credential && this.#held?.baseUrl === baseUrl) return this.#held;
    this.#release();
    if (credential === undefined || credential === "") return undefined;
    const held = holdCard(baseUrl, credential);
    lastId += 1;
    this.#held = { ...held, baseUrl, credential, id: lastId, forget: this.#tell(held) };
    return this.#held;
  }

  #release(): void {
    this.#held?.forget();
    this.#held?.release();
    this.#held = undefined;
  }

  #tell({ live }: HeldCard): () => void {
    const watch = createCardWatch();
    const look = (): void => {
      const { card } = live.inputs();
      for (const name of watch(card)) {
        if (!card) continue;
        const { writeId, version, state } = card;
        const detail: CardEventDetail = { writeId, version, state };
        this.dispatchEvent(new TellingEvent(name, { detail, bubbles: true, composed: true }));
      }
    };
    look();
    return live.subscribe(look);
  }
}

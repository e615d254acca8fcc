import { readFileSync } from "node:fs";
import { AxeBuilder } from "@axe-core/playwright";
import type { Page, Request } from "@playwright/test";
import { type Embed, expect, type SitePage, test } from "../embed-site.ts";

const element = '<review-card base-url="{api}"></review-card>';

const script = `
const heard = [];
Object.assign(window, { heard });
for (const name of ["confirmed", "declined", "settled"]) {
  document.addEventListener(name, (event) => heard.push([name, event.detail.state]));
}
const getToken = async () => (await (await fetch("{here}/card-session", { method: "POST" })).json()).token;
for (const card of document.querySelectorAll("review-card")) card.getToken = getToken;
`;

type Heard = readonly (readonly [string, string])[];
const heard = (page: Page): Promise<Heard> =>
  page.evaluate(() => (window as unknown as { heard: Heard }).heard);

/** The stream may tell of the run before the answer tells of its outcome. */
async function expectApplied(page: Page): Promise<void> {
  const [confirmed, ...rest] = await heard(page);
  expect(confirmed).toEqual(["confirmed", expect.stringMatching(/^(running|applied)$/)]);
  expect(rest).toEqual([["settled", "applied"]]);
}

/** Publishes the page, opens it with a proposal that waits, and confirms it with a real press. */
async function confirmOn(embed: Embed, page: Page, site: SitePage): Promise<void> {
  embed.publish("/page", site);
  await embed.propose("A-1042");
  await embed.open("/page");
  const confirm = embed.card.getByRole("button", { name: "Cancel order", exact: true });
  await expect(confirm).toBeEnabled();
  await confirm.click();
  await expect(embed.card.getByRole("heading", { name: "Order cancelled" })).toBeVisible();
  expect(embed.orders).toEqual(["A-1042 late -"]);
  await expectApplied(page);
}

test("EMBED-1 a page without React shows, edits and confirms, under the strictest policy", async ({
  embed,
  page,
}) => {
  embed.publish("/page", {
    body: `<main><h1>Support</h1>${element.replace("<review-card", '<review-card heading-level="2"')}</main>`,
    script,
  });
  await embed.propose("A-1042");
  await embed.open("/page");
  await embed.card.getByRole("button", { name: "Change Note" }).click();
  const note = embed.card.getByLabel("Note");
  await expect(note).toBeFocused();
  await page.keyboard.type("Ring twice");
  await page.keyboard.press("Escape");
  await expect(embed.card).not.toContainText("Ring twice");
  await embed.card.getByRole("button", { name: "Change Reason" }).click();
  await note.click();
  await page.keyboard.type("x".repeat(41));
  const reason = embed.card.getByLabel("Reason");
  await reason.selectOption({ label: "Ordered by mistake" });
  await embed.card.getByRole("button", { name: "Save changes" }).click();
  await expect(note).toBeFocused();
  await expect(note).toHaveAttribute("aria-invalid", "true");
  await note.fill("Ring twice");
  await embed.card.getByRole("button", { name: "Save changes" }).click();
  await expect(embed.card.getByText("You changed this.")).toHaveCount(2);
  expect(embed.orders).toEqual([]);
  expect((await new AxeBuilder({ page }).analyze()).violations).toEqual([]);
  await embed.card.getByRole("button", { name: "Cancel order", exact: true }).click();
  const receipt = embed.card.getByRole("heading", { name: "Order cancelled" });
  await expect(receipt).toBeVisible();
  await expect(receipt).toBeFocused();
  expect(embed.orders).toEqual(["A-1042 mistake Ring twice"]);
  await expectApplied(page);
  expect((await new AxeBuilder({ page }).analyze()).violations).toEqual([]);
  expect(await page.evaluate(() => "React" in window)).toBe(false);

  await page.reload();
  await expect(receipt).toBeVisible();
  expect(await heard(page)).toEqual([]);
});

test("EMBED-1 declining is told, and nothing is done", async ({ embed, page }) => {
  embed.publish("/page", { body: element, script });
  await embed.propose("A-1042");
  await embed.open("/page");
  await embed.card.getByRole("button", { name: "Keep order" }).click();
  await expect(embed.card).toContainText("Nothing was changed.");
  expect(await heard(page)).toEqual([["declined", "declined"]]);
  expect(embed.orders).toEqual([]);
});

const places: { readonly [where: string]: Omit<SitePage, "script"> & { readonly script?: string } } = {
  "inside a form, which it neither submits nor fills": {
    body: `<form action="/elsewhere"><input name="q" />${element}<button>Search</button></form>`,
    script: `${script}document.forms[0].addEventListener("submit", () => heard.push(["submit", ""]));`,
  },
  "inside another shadow tree": {
    body: "<shop-chat></shop-chat>",
    script: `
customElements.define("shop-chat", class extends HTMLElement {
  constructor() {
    super();
    const card = document.createElement("review-card");
    card.baseUrl = "{api}";
    this.attachShadow({ mode: "open" }).append(card);
  }
});
${script}
document.querySelector("shop-chat").shadowRoot.querySelector("review-card").getToken = getToken;`,
  },
  "in a page that is written from right to left": {
    html: 'lang="ar" dir="rtl"',
    body: element,
  },
  "in a page that made Event, CustomEvent and the prototypes its own": {
    before: `
window.Event = class Event { constructor(name) { this.name = name; } };
Object.prototype.extra = "of the page";
Array.prototype.last = function () { return this[this.length - 1]; };
Function.prototype.later = function () {};
window.name = "shop";
window.status = "busy";
window.Text = window.Node.bind(null);`,
    body: element,
    script: `${script}window.CustomEvent = function CustomEvent() { throw new Error("not this one"); };`,
  },
};

for (const [where, site] of Object.entries(places)) {
  test(`EMBED-2 the card works ${where}`, async ({ embed, page }) => {
    await confirmOn(embed, page, { script, ...site });
    expect(await embed.card.evaluate((card) => getComputedStyle(card).display)).toBe("block");
  });
}

const hostile = `
* { display: none !important; visibility: hidden !important; opacity: 0 !important; filter: blur(9px) !important;
    max-height: 10px !important; overflow: hidden !important; font-size: 70px !important; line-height: 4 !important;
    letter-spacing: 1em !important; text-transform: uppercase !important; color: red !important; zoom: 3 !important;
    pointer-events: none !important; user-select: none !important; }
html, body, main { display: block !important; visibility: visible !important; opacity: 1 !important;
    filter: none !important; max-height: none !important; overflow: visible !important; zoom: 1 !important; }
html { font-size: 60px !important; }
button { pointer-events: none !important; display: none !important; }
dl, dt, dd, p, bdi, strong { display: none !important; }
`;

test("EMBED-2 styles of the page that hide, shrink and disable everything leave the card as it is", async ({
  embed,
}) => {
  const measure = (): Promise<unknown> =>
    embed.card.evaluate((card) => {
      const tree = card.shadowRoot as ShadowRoot;
      return [...tree.querySelectorAll("*")].map((each) => {
        const { x, y, width, height } = each.getBoundingClientRect();
        const { color, fontSize, display, letterSpacing, textTransform } = getComputedStyle(each);
        const box = [x - card.getBoundingClientRect().x, y - card.getBoundingClientRect().y, width, height];
        return [
          each.localName,
          each.className,
          box.map(Math.round),
          color,
          fontSize,
          display,
          letterSpacing,
          textTransform,
        ];
      });
    });
  const body = `<main>${element}</main>`;
  await embed.propose("A-1042");
  embed.publish("/quiet", { body, script, styles: "body { margin: 0; }" });
  await embed.open("/quiet");
  const confirm = embed.card.getByRole("button", { name: "Cancel order", exact: true });
  await expect(confirm).toBeEnabled();
  const usual = await measure();

  embed.publish("/hostile", { body, script, styles: `body { margin: 0; } ${hostile}` });
  await embed.open("/hostile");
  await expect(confirm).toBeEnabled();
  expect(await measure()).toEqual(usual);
  await confirm.click();
  await expect(embed.card.getByRole("heading", { name: "Order cancelled" })).toBeVisible();
  expect(embed.orders).toEqual(["A-1042 late -"]);
});

test("EMBED-2 a page hides the card with `hidden` and themes it with custom properties", async ({
  embed,
}) => {
  embed.publish("/page", {
    body: element,
    script,
    styles: "review-card { --cs-surface: rgb(1, 2, 3); --cs-dark-surface: rgb(1, 2, 3); margin: 7px; }",
  });
  await embed.propose("A-1042");
  await embed.open("/page");
  await expect(embed.card.locator(".cs-card")).toHaveCSS("background-color", "rgb(1, 2, 3)");
  await expect(embed.card).toHaveCSS("margin-top", "7px");
  await embed.card.evaluate((card) => {
    (card as HTMLElement).hidden = true;
  });
  await expect(embed.card).toBeHidden();
});

test("EMBED-3 a browser in which no script can make a style sheet gets the same one as a file", async ({
  embed,
}) => {
  embed.publish("/page", {
    body: element,
    script,
    before:
      'CSSStyleSheet.prototype.replaceSync = () => { throw new DOMException("no", "NotAllowedError"); };',
  });
  await embed.propose("A-1042");
  await embed.open("/page");
  await expect(embed.card.locator("link")).toHaveCount(1);
  await expect(embed.card.locator(".cs-card")).toHaveCSS("border-top-width", "1px");
  await expect(embed.card.getByRole("button", { name: "Cancel order", exact: true })).toBeEnabled();
});

test("EMBED-4 the token stands nowhere in the page, and one in the markup is not taken", async ({
  embed,
  page,
}) => {
  const addresses: string[] = [];
  const asked: string[] = [];
  page.on("request", (request) => {
    addresses.push(request.url(), request.headers().referer ?? "");
    if (request.url().startsWith(embed.api)) asked.push(request.headers().authorization ?? "");
  });
  embed.publish("/page", { body: element, script });
  await embed.propose("A-1042");
  await embed.open("/page");
  await expect(embed.card.getByRole("button", { name: "Cancel order", exact: true })).toBeEnabled();
  const kept = await page.evaluate(() => {
    const card = document.querySelector("review-card") as HTMLElement;
    const own = Object.getOwnPropertyNames(card).map((name) => String(Reflect.get(card, name)));
    const storage = [{ ...localStorage }, { ...sessionStorage }, document.cookie, location.href, name];
    const all = [document.documentElement.outerHTML, card.shadowRoot?.innerHTML, own, storage];
    return JSON.stringify([...all, Reflect.get(card, "token")]);
  });
  expect(embed.tokens).toHaveLength(1);
  expect(asked.length).toBeGreaterThan(0);
  for (const token of embed.tokens) {
    expect(asked.every((header) => header === `Bearer ${token}` || header === "")).toBe(true);
    expect(kept.includes(token)).toBe(false);
    expect(addresses.filter((address) => address.includes(token))).toEqual([]);
  }
});

test("EMBED-5 two cards on a page share one stream, a moved one keeps it, and a removed one ends it", async ({
  embed,
  page,
}) => {
  const streams: string[] = [];
  const ended: string[] = [];
  page.on("request", (request) => {
    if (request.url().endsWith("/events") && request.method() === "GET") streams.push(request.url());
  });
  const end = (request: Request): void => {
    if (request.url().endsWith("/events") && request.method() === "GET") ended.push(request.url());
  };
  page.on("requestfailed", end);
  page.on("requestfinished", end);
  embed.publish("/page", { body: `<main></main><aside></aside>${element}${element}`, script });
  await embed.propose("A-1042");
  await embed.open("/page");
  const [first, second] = [embed.card.first(), embed.card.last()];
  const live = { name: "Cancel order", exact: true };
  await expect(first.getByRole("button", live)).toBeEnabled();
  await expect(second.getByRole("button", live)).toBeEnabled();
  await page.evaluate(() =>
    document.querySelector("main")?.append(document.querySelector("review-card") as Node),
  );
  await expect(page.locator("main").getByRole("button", live)).toBeEnabled();
  await page.locator("main").getByRole("button", live).click();
  for (const card of [first, second]) {
    await expect(card.getByRole("heading", { name: "Order cancelled" })).toBeVisible();
  }
  expect(embed.orders).toEqual(["A-1042 late -"]);
  expect([streams.length, ended.length]).toEqual([1, 0]);
  await page.evaluate(() => {
    for (const card of document.querySelectorAll("review-card")) card.remove();
  });
  await expect.poll(() => ended.length).toBe(1);
});

test("EMBED-5 a removed card is let go of, with all that it held", async ({ embed, page }) => {
  embed.publish("/page", { body: "<main></main>", script });
  await embed.propose("A-1042");
  await embed.open("/page");
  for (let round = 0; round < 3; round += 1) {
    const token = await embed.mint();
    await page.evaluate(
      ([baseUrl, value]) => {
        const card = Object.assign(document.createElement("review-card"), { baseUrl, token: value });
        document.querySelector("main")?.replaceChildren(card);
      },
      [embed.api, token],
    );
    await expect(embed.card.getByRole("button", { name: "Cancel order", exact: true })).toBeEnabled();
    await page.evaluate(() => {
      const { refs = [] } = window as unknown as { refs?: readonly WeakRef<Element>[] };
      const ref = new WeakRef(document.querySelector("review-card") as Element);
      Object.assign(window, { refs: [...refs, ref] });
      document.querySelector("main")?.replaceChildren();
    });
  }
  const session = await page.context().newCDPSession(page);
  await expect
    .poll(async () => {
      await session.send("HeapProfiler.collectGarbage");
      return page.evaluate(() =>
        (window as unknown as { refs: WeakRef<Element>[] }).refs.map((ref) => ref.deref() === undefined),
      );
    })
    .toEqual([true, true, true]);
});

test("EMBED-5 another token shows the next customer's card, and nothing of the one before", async ({
  embed,
}) => {
  embed.publish("/page", { body: element, script: script.replace(/for \(const card[^\n]*\n/, "\n") });
  await embed.propose("A-1042");
  await embed.open("/page");
  await expect(embed.card).toBeEmpty();
  const set = (token: string | null): Promise<void> =>
    embed.card.evaluate((card, value) => {
      Object.assign(card, { token: value });
    }, token);
  await set(await embed.mint());
  await expect(embed.card).toContainText("A-1042");
  await embed.become("ben");
  await expect(embed.card.locator(".cs-line")).toBeVisible();
  await embed.propose("B-7");
  await set(await embed.mint());
  await expect(embed.card).toContainText("B-7");
  await expect(embed.card).not.toContainText("A-1042");
  await set(null);
  await expect(embed.card.locator(".cs-card")).toHaveCount(0);
});

test("EMBED-12 the page of the guide works as it stands there", async ({ embed, page }) => {
  const guide = new URL("../../docs/embed/", import.meta.url);
  const shown = readFileSync(new URL("../embed.md", guide), "utf8");
  const types = { "index.html": "text/html", "support.js": "text/javascript", "support.css": "text/css" };
  const local = (text: string): string => text.replace("https://countersign.shop.example", embed.api);
  const [, policy = ""] = /```\n(default-src[\s\S]*?)\n```/.exec(shown) ?? [];
  expect(policy).toContain("default-src 'none';");
  for (const [name, type] of Object.entries(types)) {
    const text = readFileSync(new URL(name, guide), "utf8");
    expect(shown).toContain(`\n${text}\`\`\``);
    embed.publishFile(`/${name}`, type, local(text), local(policy).replaceAll("\n", " "));
  }
  await embed.propose("A-1042");
  await embed.open("/index.html");
  const confirm = embed.card.getByRole("button", { name: "Cancel order", exact: true });
  await expect(confirm).toBeEnabled();
  await expect(confirm).toHaveCSS("background-color", "rgb(0, 89, 76)");
  await confirm.click();
  await expect(page.locator("#news")).toHaveText("That is done.");
  expect((await new AxeBuilder({ page }).analyze()).violations).toEqual([]);
  expect(embed.orders).toEqual(["A-1042 late -"]);
});

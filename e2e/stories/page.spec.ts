import { AxeBuilder } from "@axe-core/playwright";
import { expect, test } from "../shop-visit.ts";

/** Resolves once the element has been at one place for twenty frames. */
const standsStill = (element: Element): Promise<void> =>
  new Promise((resolve) => {
    let place = Number.NaN;
    let still = 0;
    const look = (): void => {
      const { top } = element.getBoundingClientRect();
      still = top === place ? still + 1 : 0;
      place = top;
      if (still < 20) requestAnimationFrame(look);
      else resolve();
    };
    look();
  });

for (const colorScheme of ["light", "dark"] as const) {
  test(`PLAY-23 axe finds nothing to object to, before and after the decision, in ${colorScheme}`, async ({
    visit,
    page,
  }) => {
    await page.emulateMedia({ colorScheme, reducedMotion: "reduce" });
    const tab = await visit.open();
    await tab.say(`cancel order ${visit.order} because it arrives too late`);
    await expect(tab.button("Cancel order")).toBeEnabled();
    await expect(tab.behind.getByText("Chain intact")).toBeVisible();
    expect((await new AxeBuilder({ page }).analyze()).violations).toEqual([]);
    await tab.button("Cancel order").click();
    await expect(tab.card.getByRole("heading", { name: "Order cancelled" })).toBeVisible();
    await expect(tab.behind.getByText("settled: applied")).toBeVisible();
    expect((await new AxeBuilder({ page }).analyze()).violations).toEqual([]);
  });
}

for (const width of [320, 390, 768, 1280]) {
  test(`PLAY-23 nothing scrolls sideways at ${width} pixels`, async ({ visit, page }) => {
    await page.setViewportSize({ width, height: 800 });
    const tab = await visit.open();
    await tab.say(`change the address of ${visit.order} to Calle Luna 5, Madrid, 28004`);
    await expect(tab.button("Change address")).toBeEnabled();
    await expect(tab.behind.getByText("Chain intact")).toBeVisible();
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(width);
  });
}

test("PLAY-24 no key and no card token stands in the page's address or storage", async ({ visit, page }) => {
  const addresses: string[] = [];
  const tokens: string[] = [];
  page.on("request", (request) => {
    addresses.push(request.url(), request.headers().referer ?? "");
    const token = request.headers().authorization;
    if (token !== undefined) tokens.push(token.replace("Bearer ", ""));
  });
  const tab = await visit.open();
  await tab.say(`cancel order ${visit.order} because it arrives too late`);
  await expect(tab.button("Cancel order")).toBeEnabled();
  expect(tokens.length).toBeGreaterThan(0);
  const kept = await page.evaluate(() =>
    JSON.stringify([{ ...localStorage }, { ...sessionStorage }, document.documentElement.outerHTML]),
  );
  for (const token of tokens) {
    expect(addresses.filter((address) => address.includes(token))).toEqual([]);
    expect(kept.includes(token)).toBe(false);
  }
});

test("PLAY-24 a form on a foreign page cannot speak for the customer", async ({ visit, request }) => {
  await visit.open();
  const headers = { "content-type": "text/plain" };
  const data = JSON.stringify({ conversationId: visit.conversationId, person: "ben" });
  expect((await request.post("/bot/customer", { headers, data })).status()).toBe(415);
  expect((await request.post("/v1/card/wr_1/confirm", { headers, data })).status()).toBe(401);
});

test.describe("on a phone", () => {
  test.use({ viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true });

  test("PLAY-23 a customer taps through the whole walk, with buttons of at least 44 pixels", async ({
    visit,
  }) => {
    const tab = await visit.open();
    await tab.say(`cancel order ${visit.order} because it arrives too late`);
    await expect(tab.button("Cancel order")).toBeInViewport();
    for (const name of ["Cancel order", "Keep order"]) {
      expect((await tab.button(name).boundingBox())?.height).toBeGreaterThanOrEqual(44);
    }
    // A tap on what was somewhere else a moment ago does not count: scrolled to first, then tapped.
    await tab.button("Cancel order").evaluate((button) => button.scrollIntoView({ block: "center" }));
    await tab.button("Cancel order").evaluate(standsStill);
    await expect(tab.button("Cancel order")).toBeEnabled();
    // Where it is, without scrolling on its behalf: that would move it under the page's header.
    await tab.button("Cancel order").tap({ force: true });
    await expect(tab.card.getByRole("heading", { name: "Order cancelled" })).toBeVisible();
    await tab.page.getByRole("link", { name: "Journal" }).tap();
    await expect(tab.behind.getByText("settled: applied")).toBeInViewport();
    expect(await visit.applications()).toHaveLength(1);
  });
});

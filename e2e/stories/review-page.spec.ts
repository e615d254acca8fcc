import { AxeBuilder } from "@axe-core/playwright";
import type { Page } from "@playwright/test";
import { type Embed, expect, test } from "../embed-site.ts";

type Asked = { readonly method: string; readonly path: string; readonly address: string };

/** Answers the exchange of a code as the wire says: once with a session, afterwards with 410. */
async function exchangeOnce(embed: Embed, page: Page, mayConfirm: boolean): Promise<Asked[]> {
  const asked: Asked[] = [];
  let used = false;
  page.on("request", (request) => {
    const { pathname } = new URL(request.url());
    if (pathname.startsWith("/v1/"))
      asked.push({ method: request.method(), path: pathname, address: page.url() });
  });
  await page.route("**/v1/review-sessions", async (route) => {
    if (used) {
      const problem = { type: "about:blank", title: "Expired", status: 410, code: "expired" };
      await route.fulfill({ status: 410, contentType: "application/problem+json", json: problem });
      return;
    }
    used = true;
    expect(route.request().postDataJSON()).toEqual({ code: "rc_1" });
    await route.fulfill({ status: 201, json: { token: await embed.mint(), expiresAt: "", mayConfirm } });
  });
  return asked;
}

test("EMBED-9 a review link shows the card, keeps its code to itself, and decides by a press only", async ({
  embed,
  page,
}) => {
  const asked = await exchangeOnce(embed, page, true);
  await embed.propose("A-1042");
  await page.goto(`${embed.api}/review#rc_1`);
  const confirm = embed.card.getByRole("button", { name: "Cancel order", exact: true });
  await expect(confirm).toBeEnabled();
  expect(page.url()).toBe(`${embed.api}/review`);
  expect(asked.filter(({ address }) => address.includes("rc_1"))).toEqual([]);
  expect(asked.filter(({ method }) => method !== "GET").map(({ path }) => path)).toEqual([
    "/v1/review-sessions",
  ]);
  expect(embed.orders).toEqual([]);
  expect(await page.content()).not.toContain(String(embed.tokens[0]));
  expect((await new AxeBuilder({ page }).analyze()).violations).toEqual([]);
  await confirm.click();
  await expect(embed.card.getByRole("heading", { name: "Order cancelled" })).toBeVisible();
  expect(embed.orders).toEqual(["A-1042 late -"]);
  expect((await new AxeBuilder({ page }).analyze()).violations).toEqual([]);
});

test("EMBED-10 a browser that may not confirm says so on its button, and declining is done at once", async ({
  embed,
  page,
}) => {
  await exchangeOnce(embed, page, false);
  await embed.propose("A-1042");
  await page.goto(`${embed.api}/review#rc_1`);
  await expect(page.getByRole("status").first()).toContainText("It is confirmed where you were asked");
  await expect(embed.card.getByRole("button", { name: "Cancel order", exact: true })).toHaveCount(0);
  await expect(embed.card.getByRole("button", { name: "Confirm elsewhere" })).toBeEnabled();
  await embed.card.getByRole("button", { name: "Keep order" }).click();
  await expect(embed.card).toContainText("Nothing was changed.");
  expect(embed.orders).toEqual([]);
});

test.describe("a link that was used", () => {
  // The browser writes every refused request into its console.
  test.use({ expectedFaults: [/410/] });

  test("EMBED-11 says so in a sentence", async ({ embed, page }) => {
    await exchangeOnce(embed, page, true);
    await embed.propose("A-1042");
    await page.goto(`${embed.api}/review#rc_1`);
    await expect(embed.card).toContainText("A-1042");
    await page.goto("about:blank");
    await page.goto(`${embed.api}/review#rc_1`);
    await expect(page.getByRole("status")).toContainText("This link was used before, or it is too old.");
    await expect(embed.card.getByRole("button")).toHaveCount(0);
    await page.setViewportSize({ width: 320, height: 600 });
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(320);
  });
});

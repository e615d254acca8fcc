import type { Locator, Page } from "@playwright/test";
import { expect, test } from "../shop-visit.ts";

/** One of the phones, as somebody sees it who holds it. */
type Phone = {
  readonly page: Page;
  readonly place: Locator;
  readonly conversationId: string;
  say(text: string): Promise<void>;
  /** The buttons of the latest prompt. */
  button(name: string): Locator;
  messages(): Locator;
};

const accounts = [
  { title: "WhatsApp", part: "whatsapp" },
  { title: "WhatsApp over Twilio", part: "twilio" },
  { title: "Messenger", part: "messenger" },
  { title: "Instagram", part: "instagram" },
] as const;

async function openPhone(
  page: Page,
  conversationId: string,
  { title, part }: (typeof accounts)[number],
): Promise<Phone> {
  await page.goto(`/phones?c=${conversationId}`);
  if (part === "twilio") await page.getByRole("button", { name: "Twilio", exact: true }).click();
  const place = page.getByRole("region", { name: title, exact: true });
  const messages = (): Locator => place.locator(".said.by-business");
  return {
    page,
    place,
    conversationId: `${conversationId}-${part}`,
    messages,
    async say(text) {
      await place.getByRole("textbox").fill(text);
      await place.getByRole("textbox").press("Enter");
    },
    button: (name) => place.locator(".kind-prompt").last().getByRole("button", { name, exact: true }),
  };
}

for (const account of accounts) {
  test.describe(`PLAY-28 in ${account.title}`, () => {
    test("one tap cancels the order once, and the card on the website follows", async ({
      visit,
      page,
      context,
    }) => {
      const phone = await openPhone(page, visit.conversationId, account);
      await phone.say(`cancel order ${visit.order} because it arrives too late`);
      await expect(phone.button("Cancel order")).toBeVisible();
      const web = await context.newPage();
      await web.goto(`/?c=${phone.conversationId}`);
      const card = web.locator(".card-slot");
      await expect(card.getByRole("button", { name: "Cancel order", exact: true })).toBeVisible();
      await phone.button("Cancel order").click();
      await expect(phone.messages().last()).toContainText("Order cancelled");
      await expect(card.getByRole("heading", { name: "Order cancelled" })).toBeVisible();
      expect(await visit.applications()).toHaveLength(1);

      await phone.button("Cancel order").click();
      await phone.button("Keep order").click();
      await expect(phone.place.getByText("You already answered this.")).toHaveCount(2);
      expect(await visit.applications()).toHaveLength(1);
    });

    test("one tap keeps the order", async ({ visit, page }) => {
      const phone = await openPhone(page, visit.conversationId, account);
      await phone.say(`cancel order ${visit.order} because it arrives too late`);
      await phone.button("Keep order").click();
      await expect(phone.messages().last()).toContainText("You decided against it. Nothing was changed.");
      expect(await visit.applications()).toEqual([]);
    });

    test("a tap after the offer has ended does nothing", async ({ visit, page }) => {
      const phone = await openPhone(page, visit.conversationId, account);
      await phone.say(`take the offer on ${visit.order}`);
      const buttons = phone.place.locator(".kind-prompt").last().getByRole("button");
      await expect(buttons.first()).toBeVisible();
      await expect(phone.messages().last()).toContainText("The time to decide is over.");
      await buttons.first().click();
      await expect(phone.place.getByText("You already answered this.")).toBeVisible();
      await expect(phone.messages().last()).toContainText("The time to decide is over. Nothing was changed.");
      expect(await visit.applications()).toEqual([]);
    });

    test("a tap after the customer changed does nothing", async ({ visit, page }) => {
      const phone = await openPhone(page, visit.conversationId, account);
      await phone.say(`cancel order ${visit.order} because it arrives too late`);
      await expect(phone.button("Cancel order")).toBeVisible();
      await phone.place.getByRole("button", { name: /Make it Ben/ }).click();
      await expect(phone.place.getByRole("button", { name: /Make it Ana/ })).toBeVisible();
      await phone.button("Cancel order").click();
      await expect(phone.messages().last()).toHaveText(
        "This button is not for this chat, so nothing was done.",
      );
      expect(await visit.applications()).toEqual([]);
    });
  });
}

test("PLAY-28 typed words confirm nothing on a phone", async ({ visit, page }) => {
  const phone = await openPhone(page, visit.conversationId, accounts[0]);
  await phone.say(`cancel order ${visit.order} because it arrives too late`);
  await expect(phone.button("Cancel order")).toBeVisible();
  await phone.say("yes");
  await expect(phone.messages().last()).toContainText("words in the chat do not count");
  await phone.say("Cancel order");
  await expect(phone.place.locator(".kind-prompt")).toHaveCount(2);
  expect(await visit.applications()).toEqual([]);
});

test("PLAY-29 the link in a prompt opens the card once, and what is confirmed there is asked in the chat", async ({
  visit,
  page,
  browser,
}) => {
  const phone = await openPhone(page, visit.conversationId, accounts[0]);
  await phone.say(`cancel order ${visit.order} because it arrives too late`);
  await expect(phone.button("Cancel order")).toBeVisible();
  const said = (await phone.messages().last().textContent()) ?? "";
  const link = /http:\S+\/review#[0-9a-f]+/.exec(said)?.[0] ?? "";
  const elsewhere = await browser.newContext({ locale: "en-GB" });
  const review = await elsewhere.newPage();
  await review.goto(link);
  await expect(review.getByRole("heading", { name: "Cancel this order?" })).toBeVisible();
  expect(new URL(review.url()).hash).toBe("");
  await review.getByRole("button", { name: "Confirm elsewhere" }).click();
  await expect(review.getByText(/the question has just been sent to you again/)).toBeVisible();
  expect(await visit.applications()).toEqual([]);
  await expect(phone.place.locator(".kind-prompt")).toHaveCount(2);
  await phone.button("Cancel order").click();
  await expect(phone.messages().last()).toContainText("Order cancelled");
  await expect(review.getByRole("heading", { name: "Order cancelled" })).toBeVisible();

  const again = await elsewhere.newPage();
  await again.goto(link);
  await expect(again.getByText(/link/i)).toBeVisible();
  await expect(again.getByRole("button", { name: "Keep order" })).toHaveCount(0);
  await elsewhere.close();
});

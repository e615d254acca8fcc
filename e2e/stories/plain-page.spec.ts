import { expect, test } from "../shop-visit.ts";

test("EMBED-14 a page of plain HTML shows the card of the chat's conversation, and both hear of the decision", async ({
  visit,
  context,
}) => {
  const tab = await visit.open();
  await tab.say(`cancel order ${visit.order} because it arrives too late`);
  await expect(tab.button("Cancel order")).toBeEnabled();
  const page = await context.newPage();
  await page.goto(`/plain/?c=${visit.conversationId}`);
  const card = page.locator("review-card");
  await expect(card.getByRole("heading", { name: "Cancel this order?", level: 2 })).toBeVisible();
  await card.getByRole("button", { name: "Cancel order", exact: true }).click();
  await expect(card.getByRole("heading", { name: "Order cancelled" })).toBeVisible();
  await expect(page.locator("#news")).toHaveText("The page was told: applied.");
  await expect(tab.card.getByRole("heading", { name: "Order cancelled" })).toBeVisible();
  expect(await visit.applications()).toMatchObject([{ kind: "cancel", orderNumber: visit.order }]);
});

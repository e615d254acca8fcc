import type { Tab } from "../shop-visit.ts";
import { expect, test } from "../shop-visit.ts";

/** What nobody may read while it is not known what happened. */
async function claimsNothing(tab: Tab): Promise<void> {
  await expect(tab.card).toContainText("It may or may not have gone through.");
  await expect(tab.card).toContainText(/wr_[A-Za-z0-9_-]+/);
  await expect(tab.card).not.toContainText(
    /success|failed|failure|cancelled|done\b|nothing was changed|try again/i,
  );
  await expect(tab.card.getByRole("button", { name: /again|retry|cancel order|keep order/i })).toHaveCount(0);
}

test("PLAY-21 a shop that breaks down after the change leaves the outcome unknown, and nothing else may start", async ({
  visit,
}) => {
  await visit.shopAnswers("fail_after", "down");
  const tab = await visit.open();
  await tab.say(`cancel order ${visit.order} because it arrives too late`);
  await tab.button("Cancel order").click();
  await claimsNothing(tab);
  await expect(tab.chat.locator(".bubble").last()).not.toContainText(
    /success|failed|was cancelled|nothing was changed/i,
  );

  await tab.say(`refund ${visit.order}`);
  await expect(tab.chat.locator(".bubble").last()).toHaveText(
    /still not known whether the last one went through/,
  );
  await claimsNothing(tab);
  expect(await visit.applications()).toHaveLength(1);
});

test("PLAY-21 an unknown outcome is asked for until the truth is known", async ({ visit }) => {
  await visit.shopAnswers("fail_after");
  const tab = await visit.open();
  await tab.say(`cancel order ${visit.order} because it arrives too late`);
  await tab.button("Cancel order").click();
  await claimsNothing(tab);
  await expect(tab.card.getByRole("heading", { name: "Order cancelled" })).toBeVisible({ timeout: 15_000 });
  expect(await visit.applications()).toHaveLength(1);
});

test("PLAY-21 a shop that never answers leaves the outcome unknown", async ({ visit }) => {
  await visit.shopAnswers("hang", "down");
  const tab = await visit.open();
  await tab.say(`cancel order ${visit.order} because it arrives too late`);
  await tab.button("Cancel order").click();
  await expect(tab.card.getByRole("button", { name: "Sending…" })).toBeVisible();
  await claimsNothing(tab);
  expect(await visit.applications()).toHaveLength(1);
});

test("PLAY-22 a booking is in progress until the shop has finished it", async ({ visit }) => {
  const tab = await visit.open();
  await tab.say(`book a slot for ${visit.order} on 2026-12-10`);
  await expect(tab.card).toContainText("10 Dec 2026");
  await tab.button("Book day").click();
  await expect(tab.card).toContainText("In progress");
  expect(await visit.applications()).toEqual([]);
  await visit.finishAccepted();
  await expect(tab.card.getByRole("heading", { name: "Delivery day booked" })).toBeVisible({
    timeout: 15_000,
  });
  expect(await visit.applications()).toMatchObject([{ kind: "booking" }]);
  expect(await visit.orderNow()).toMatchObject({ bookings: ["2026-12-10"] });
});

test("PLAY-22 a change the shop refuses is told with its reason, and nothing was changed", async ({
  visit,
}) => {
  const tab = await visit.open();
  await tab.behind.getByLabel("When asked to change something").selectOption({ label: "Refuses" });
  await tab.say(`cancel order ${visit.order} because it arrives too late`);
  await tab.button("Cancel order").click();
  await expect(tab.card).toContainText("The warehouse does not allow this change any more.");
  await expect(tab.card).toContainText("Nothing was changed.");
  expect(await visit.applications()).toEqual([]);
  expect(await visit.orderNow()).toMatchObject({ status: "open" });
});

test("PLAY-22 a slow shop is waited for", async ({ visit }) => {
  await visit.shopAnswers("slow");
  const tab = await visit.open();
  await tab.say(`cancel order ${visit.order} because it arrives too late`);
  await tab.button("Cancel order").click();
  await expect(tab.card.getByRole("button", { name: "Sending…" })).toBeVisible();
  await expect(tab.card.getByRole("heading", { name: "Order cancelled" })).toBeVisible();
  expect(await visit.applications()).toHaveLength(1);
});

test("PLAY-16 a customer who leaves while it is sent finds the receipt on coming back", async ({ visit }) => {
  await visit.shopAnswers("slow");
  const tab = await visit.open();
  await tab.say(`cancel order ${visit.order} because it arrives too late`);
  await tab.button("Cancel order").click();
  await expect(tab.card.getByRole("button", { name: "Sending…" })).toBeVisible();
  await tab.page.reload();
  await expect(tab.card.getByRole("heading", { name: "Order cancelled" })).toBeVisible();
  expect(await visit.applications()).toHaveLength(1);
});

test("PLAY-21 an operator settles what the shop does not tell", async ({ visit }) => {
  await visit.shopAnswers("hang", "down");
  const tab = await visit.open();
  await tab.say(`refund ${visit.order}`);
  await tab.button("Refund").click();
  await claimsNothing(tab);
  await tab.behind.getByRole("button", { name: "It was applied", exact: true }).click();
  await expect(tab.card.getByRole("heading", { name: "Refunded" })).toBeVisible();
  await expect(tab.behind.getByRole("row").last()).toContainText("resolved: applied");
  await tab.say(`find order ${visit.order}`);
  await expect(tab.chat.locator(".bubble").last()).toContainText("€24.00 of it refunded");
});

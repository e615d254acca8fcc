import { expect, test } from "../shop-visit.ts";

test("PLAY-25 what changed at the shop since the customer looked is shown before anything is done", async ({
  visit,
}) => {
  const tab = await visit.open();
  const other = await visit.openAnother();
  await tab.say(`cancel order ${visit.order} because it arrives too late`);
  await expect(tab.card.getByText("€24.00")).toBeVisible();
  await tab.behind.getByRole("button", { name: "Raise the order’s price by €1" }).click();
  await expect.poll(async () => (await visit.orderNow()).totalMinor).toBe(2500);

  await tab.button("Cancel order").click();
  await expect(tab.card).toContainText("€25.00");
  await expect(tab.card).toContainText("€24.00");
  await expect(other.card).toContainText("€25.00");
  expect(await visit.applications()).toEqual([]);

  await tab.button("Cancel order").click();
  await expect(tab.card.getByRole("heading", { name: "Order cancelled" })).toBeVisible();
  expect(await visit.applications()).toMatchObject([{ kind: "cancel" }]);
  await expect(tab.behind.getByRole("row")).toContainText([
    "Event",
    "proposed, version 1",
    "drifted, version 2",
    "confirmed, version 2",
    "started, attempt 1",
    "settled: applied",
  ]);

  await tab.say(`cancel order ${visit.order}`);
  await expect(tab.chat.locator(".bubble").last()).toHaveText(/nothing to change/);
  expect(await visit.applications()).toHaveLength(1);
});

test("PLAY-26 a change is undone from its receipt, as a change of its own", async ({ visit }) => {
  const tab = await visit.open();
  await tab.say(`change the address of ${visit.order} to Rua Augusta 7, Lisbon, 1100-048`);
  await tab.button("Change address").click();
  await expect(tab.card.getByRole("heading", { name: "Address changed" })).toBeVisible();
  expect(await visit.orderNow()).toMatchObject({ street: "Rua Augusta 7" });

  await tab.button("Use the old address again").click();
  await expect(tab.card.getByRole("heading", { name: "Send the order here?" })).toBeVisible();
  await expect(tab.card).toContainText("Calle Mayor 12");
  expect(await visit.orderNow()).toMatchObject({ street: "Rua Augusta 7" });
  await tab.button("Change address").click();
  await expect(tab.card.getByRole("heading", { name: "Address changed" })).toBeVisible();
  expect(await visit.orderNow()).toMatchObject({ street: "Calle Mayor 12", city: "Madrid" });
  expect(await visit.applications()).toHaveLength(2);
});

test("PLAY-27 a lost answer is asked for again under the same key, and the change is made once", async ({
  visit,
}) => {
  const tab = await visit.open();
  await visit.shopAnswers("fail_after");
  await tab.say(`change the address of ${visit.order} to Rua Augusta 7, Lisbon, 1100-048`);
  await tab.button("Change address").click();
  await expect(tab.card).toContainText("It may or may not have gone through.");
  await visit.shopAnswers("usual");
  await expect(tab.card.getByRole("heading", { name: "Address changed" })).toBeVisible({ timeout: 30_000 });
  expect(await visit.applications()).toHaveLength(1);
});

import { expect, test } from "../shop-visit.ts";

test("PLAY-13 a customer changes the reason, confirms, and the shop cancels the order exactly once", async ({
  visit,
}) => {
  const tab = await visit.open();
  await tab.say(`cancel order ${visit.order} because it arrives too late`);
  await expect(tab.card.getByRole("heading", { name: "Cancel this order?" })).toBeVisible();
  await expect(tab.card.getByText("This cannot be undone.")).toBeVisible();
  await expect(tab.card.getByText("Refunds take 5 days.")).toBeVisible();

  await tab.card.getByRole("button", { name: /^Change/ }).click();
  await tab.card.getByLabel("Reason").selectOption({ label: "Ordered by mistake" });
  await tab.button("Save changes").click();
  await expect(tab.card.getByText("You changed this.")).toBeVisible();
  expect(await visit.applications()).toEqual([]);

  await tab.button("Cancel order").click();
  await expect(tab.card.getByRole("heading", { name: "Order cancelled" })).toBeVisible();
  await expect(tab.card).toContainText("Ordered by mistake");
  await expect(tab.card).toContainText("€24.00");
  await expect(tab.chat.locator(".bubble").last()).toContainText(
    "You changed Reason from “Arrives too late” to “Ordered by mistake”.",
  );
  expect(await visit.applications()).toMatchObject([{ kind: "cancel", orderNumber: visit.order }]);
  expect(await visit.orderNow()).toMatchObject({ status: "cancelled" });

  const rows = tab.behind.getByRole("row");
  await expect(rows).toContainText([
    "Event",
    "proposed, version 1",
    "edited, version 2",
    "confirmed, version 2",
    "started, attempt 1",
    "settled: applied",
  ]);
  await expect(tab.behind.getByText("Chain intact")).toBeVisible();
});

test("PLAY-14 a customer keeps the order and nothing is changed", async ({ visit }) => {
  const tab = await visit.open();
  await tab.say(`cancel order ${visit.order} because it arrives too late`);
  await tab.button("Keep order").click();
  await expect(tab.card).toContainText("Nothing was changed.");
  await expect(tab.button("Cancel order")).toHaveCount(0);
  expect(await visit.applications()).toEqual([]);

  await tab.say(`cancel order ${visit.order} because it arrives too late`);
  await expect(tab.chat.locator(".bubble").last()).toHaveText(/just declined exactly this/);
});

test("PLAY-2 words in the chat never confirm", async ({ visit }) => {
  const tab = await visit.open();
  await tab.say(`cancel order ${visit.order} because it arrives too late`);
  await expect(tab.button("Cancel order")).toBeEnabled();
  await tab.say("yes, go ahead");
  await expect(tab.chat.locator(".bubble").last()).toHaveText(/Please use the buttons on the card/);
  await expect(tab.button("Cancel order")).toBeEnabled();
  expect(await visit.applications()).toEqual([]);
});

test("PLAY-15 a double click confirms once", async ({ visit }) => {
  const tab = await visit.open();
  const confirms: string[] = [];
  tab.page.on("request", (request) => {
    if (request.url().endsWith("/confirm")) confirms.push(request.url());
  });
  await tab.say(`refund ${visit.order}`);
  await expect(tab.card).toContainText("€24.00");
  await tab.button("Refund").dblclick();
  await expect(tab.card.getByRole("heading", { name: "Refunded" })).toBeVisible();
  expect(confirms).toHaveLength(1);
  expect(await visit.applications()).toHaveLength(1);
  expect(await visit.orderNow()).toMatchObject({ refundedMinor: 2400 });
});

test("PLAY-16 two tabs show one decision and both end with its receipt", async ({ visit }) => {
  const first = await visit.open();
  await first.say(`cancel order ${visit.order} because it arrives too late`);
  const second = await visit.openAnother();
  await expect(second.button("Cancel order")).toBeEnabled();
  await first.page.bringToFront();
  await expect(first.button("Cancel order")).toBeEnabled();
  // Both presses are on their way before either tab hears of the other's.
  for (const tab of [first, second]) await tab.button("Cancel order").focus();
  await Promise.all([first, second].map((tab) => tab.page.keyboard.press("Enter")));
  for (const tab of [first, second]) {
    await expect(tab.card.getByRole("heading", { name: "Order cancelled" })).toBeVisible();
  }
  expect(await visit.applications()).toHaveLength(1);
});

test("PLAY-16 a receipt survives a reload, and no live button is shown on the way", async ({ visit }) => {
  const tab = await visit.open();
  await tab.say(`cancel order ${visit.order} because it arrives too late`);
  await tab.button("Cancel order").click();
  await expect(tab.card.getByRole("heading", { name: "Order cancelled" })).toBeVisible();

  await tab.page.addInitScript(() => {
    const seen: string[] = [];
    Object.assign(window, { liveButtons: seen });
    new MutationObserver(() => {
      for (const button of document.querySelectorAll(".card-slot button:not([aria-disabled=true])")) {
        const label = button.textContent ?? "";
        if (label === "Cancel order" || label === "Keep order") seen.push(label);
      }
    }).observe(document, { subtree: true, childList: true, attributes: true });
  });
  await tab.page.reload();
  await expect(tab.card.getByRole("heading", { name: "Order cancelled" })).toBeVisible();
  expect(await tab.page.evaluate(() => (window as unknown as { liveButtons: string[] }).liveButtons)).toEqual(
    [],
  );
});

test("PLAY-14 the assistant takes back its proposal", async ({ visit }) => {
  const tab = await visit.open();
  await tab.say(`cancel order ${visit.order} because it arrives too late`);
  await expect(tab.button("Cancel order")).toBeEnabled();
  await tab.say("withdraw");
  await expect(tab.card).toContainText("Withdrawn: You asked for it in the chat.");
  await expect(tab.button("Cancel order")).toHaveCount(0);
});

test("PLAY-17 a note is added at once, without a question", async ({ visit }) => {
  const tab = await visit.open();
  await tab.say(`add a note to ${visit.order}: please ring twice`);
  await expect(tab.card.getByRole("heading", { name: "Note added" })).toBeVisible();
  await expect.poll(() => visit.orderNow()).toMatchObject({ notes: ["please ring twice"] });
  expect(await visit.applications()).toMatchObject([{ kind: "note" }]);
});

test("PLAY-14 an offer ends: its buttons go and nothing was changed", async ({ visit }) => {
  const tab = await visit.open();
  await tab.say(`take the offer on ${visit.order}`);
  await expect(tab.button("Take the offer")).toBeVisible();
  await expect(tab.card).toContainText("Expired");
  await expect(tab.card).toContainText("Nothing was changed.");
  await expect(tab.button("Take the offer")).toHaveCount(0);
  await expect(tab.behind.getByRole("row").last()).toContainText("expired");
  expect(await visit.applications()).toEqual([]);
});

test("PLAY-18 a customer who needs it gets more time", async ({ visit }) => {
  const tab = await visit.open();
  await tab.say(`book a slot for ${visit.order} on 2026-12-10`);
  const until = tab.card.locator(".cs-foot time");
  const before = await until.getAttribute("datetime");
  await tab.button("More time").click();
  await expect(until).not.toHaveAttribute("datetime", String(before));
  const [was, is] = [Date.parse(String(before)), Date.parse(String(await until.getAttribute("datetime")))];
  // Half an hour from the press on, where a quarter was left.
  expect(is - was).toBeGreaterThanOrEqual(900_000);
  await expect(tab.behind.getByRole("row").last()).toContainText("extended");
});

test("PLAY-15 a press in the very moment the card appears does nothing", async ({ visit, page }) => {
  await page.addInitScript(() => {
    new MutationObserver((_, observer) => {
      const confirm = document.querySelector<HTMLElement>(".cs-button-confirm");
      if (confirm === null) return;
      observer.disconnect();
      confirm.click();
      Object.assign(window, { pressed: true });
    }).observe(document, { subtree: true, childList: true });
  });
  const tab = await visit.open();
  await tab.say(`cancel order ${visit.order} because it arrives too late`);
  await page.waitForFunction(() => "pressed" in window);
  await expect(tab.button("Cancel order")).toBeEnabled();
  await expect(tab.card).toContainText("Nothing has changed yet.");
  expect(await visit.applications()).toEqual([]);
});

test("PLAY-19 without a connection nothing can be pressed, and it can again once it is back", async ({
  visit,
  context,
}) => {
  const tab = await visit.open();
  await tab.say(`cancel order ${visit.order} because it arrives too late`);
  await expect(tab.button("Cancel order")).toBeEnabled();
  await context.setOffline(true);
  await expect(tab.card).toContainText("You are offline");
  await expect(tab.button("Cancel order")).toBeDisabled();
  await context.setOffline(false);
  await tab.button("Cancel order").click();
  await expect(tab.card.getByRole("heading", { name: "Order cancelled" })).toBeVisible();
  expect(await visit.applications()).toHaveLength(1);
});

import { expect, test } from "../shop-visit.ts";

test("PLAY-20 Ana's proposal cannot be confirmed once Ben has signed in, and Ben cannot see it", async ({
  visit,
  page,
}) => {
  // This tab hears no events: it learns only what it asks for.
  await page.route("**/v1/card/events", () => {});
  const anas = await visit.open();
  await anas.say(`cancel order ${visit.order} because it arrives too late`);
  await expect(anas.button("Cancel order")).toBeEnabled();

  // From here on nothing that it asks is answered, except its presses.
  await page.route("**/bot/**", () => {});
  await page.route("**/v1/card", () => {});
  const bens = await visit.openAnother();
  await bens.become("Ben");
  await expect(bens.chat).toContainText("Signed in as Ben.");
  const pressed = page.waitForRequest((request) => request.url().endsWith("/confirm"));
  await anas.button("Cancel order").press("Enter");
  await pressed;

  await expect(anas.card).toContainText("This view has ended, because someone else signed in.");
  await expect(anas.button("Cancel order")).toHaveCount(0);
  expect(await visit.applications()).toEqual([]);
  await expect(bens.chat).not.toContainText(visit.order);
  await expect(bens.behind.getByRole("row").last()).toContainText("superseded");
});

test("PLAY-20 an old tab says why it ended, also after a reload", async ({ visit }) => {
  const anas = await visit.open();
  await anas.say(`cancel order ${visit.order} because it arrives too late`);
  await expect(anas.button("Cancel order")).toBeEnabled();
  const bens = await visit.openAnother();
  await bens.become("Ben");
  await anas.page.bringToFront();
  await expect(anas.card).toContainText("This view has ended, because someone else signed in.");
  await expect(anas.page.getByRole("textbox", { name: "Message" })).toBeDisabled();
  await anas.page.reload();
  await expect(anas.card).toContainText("This view has ended, because someone else signed in.");
  await expect(anas.button("Cancel order")).toHaveCount(0);
});

test("PLAY-20 Ben is not shown Ana's receipt, and Ana finds it again", async ({ visit }) => {
  const tab = await visit.open();
  await tab.say(`cancel order ${visit.order} because it arrives too late`);
  await tab.button("Cancel order").click();
  await expect(tab.card.getByRole("heading", { name: "Order cancelled" })).toBeVisible();

  await tab.become("Ben");
  await expect(tab.chat).toContainText("Signed in as Ben.");
  await expect(tab.chat).not.toContainText("Order cancelled");
  await expect(tab.chat).not.toContainText(visit.order);
  await tab.say(`find order ${visit.order}`);
  await expect(tab.chat.locator(".bubble").last()).toHaveText("I find no such order of yours.");

  await tab.become("Ana");
  await expect(tab.card.getByRole("heading", { name: "Order cancelled" })).toBeVisible();
});

test("PLAY-20 signing out sets the proposal aside", async ({ visit }) => {
  const tab = await visit.open();
  await tab.say(`cancel order ${visit.order} because it arrives too late`);
  await expect(tab.button("Cancel order")).toBeEnabled();
  const second = await visit.openAnother();
  await second.become("Signed out");
  await tab.page.bringToFront();
  await expect(tab.card).toContainText("This view has ended, because you signed out.");
  await expect(tab.button("Cancel order")).toHaveCount(0);

  await second.say(`cancel order ${visit.order}`);
  await expect(second.chat.locator(".bubble").last()).toHaveText(/Please sign in first/);
  await expect(second.behind.getByRole("row").last()).toContainText("superseded");
  expect(await visit.applications()).toEqual([]);
});

import { expect, test } from "../shop-visit.ts";

test("PLAY-13 an entry that cannot be saved is said, kept, corrected, and the shop gets exactly what the card showed", async ({
  visit,
}) => {
  const tab = await visit.open();
  await tab.say(`change the address of ${visit.order} to Calle Luna 5, Madrid, 28004`);
  await tab.card
    .getByRole("button", { name: /^Change.*Street|^Change$/ })
    .first()
    .click();
  const street = tab.card.getByLabel("Street");
  const code = tab.card.getByLabel("Postal code");
  await street.fill("Gran Vía 44 <b>2º</b>");
  await code.fill("28");
  await tab.button("Save changes").click();
  await expect(tab.card).toContainText("1 entry cannot be saved yet");
  await expect(code).toBeFocused();
  await expect(code).toHaveValue("28");
  await expect(code).toHaveAttribute("aria-invalid", "true");
  await expect(street).toHaveValue("Gran Vía 44 <b>2º</b>");
  await expect(tab.button("Change address")).toBeDisabled();

  await code.fill("28013");
  await tab.button("Save changes").click();
  await expect(street).toHaveCount(0);
  await expect(tab.card).toContainText("Gran Vía 44 <b>2º</b>");
  await tab.button("Change address").click();
  await expect(tab.card.getByRole("heading", { name: "Address changed" })).toBeVisible();
  expect(await visit.orderNow()).toMatchObject({
    street: "Gran Vía 44 <b>2º</b>",
    city: "Madrid",
    postalCode: "28013",
  });
  expect(await visit.applications()).toHaveLength(1);
});

test("PLAY-23 a customer with a keyboard only asks, edits and confirms", async ({ visit }) => {
  const { page, card, button, chat } = await visit.open();
  const tabTo = async (name: string): Promise<void> => {
    const target = card.getByRole("button", { name, exact: true });
    for (let presses = 0; presses < 40; presses += 1) {
      if (await target.evaluate((element) => element === document.activeElement)) return;
      await page.keyboard.press("Tab");
    }
    await expect(target).toBeFocused();
  };
  const input = page.getByRole("textbox", { name: "Message" });
  await input.focus();
  await page.keyboard.type(`cancel order ${visit.order} because it arrives too late`);
  await page.keyboard.press("Enter");
  await expect(button("Cancel order")).toBeEnabled();
  // Nothing took the focus away from where the customer was typing.
  await expect(input).toBeFocused();

  for (
    let presses = 0;
    presses < 40 && !(await card.evaluate((element) => element.contains(document.activeElement)));
    presses += 1
  ) {
    await page.keyboard.press("Shift+Tab");
  }
  await page.keyboard.press("Shift+Tab");
  const change = card.getByRole("button", { name: /^Change/ });
  for (
    let presses = 0;
    presses < 20 && !(await change.evaluate((element) => element === document.activeElement));
    presses += 1
  ) {
    await page.keyboard.press("Shift+Tab");
  }
  await page.keyboard.press("Enter");
  await expect(card.getByLabel("Reason")).toBeFocused();
  await page.keyboard.type("Found");
  await tabTo("Save changes");
  await page.keyboard.press("Enter");
  await expect(card).toContainText("Found it elsewhere");
  await expect(button("Cancel order")).toBeEnabled();
  await tabTo("Cancel order");
  await page.keyboard.press("Space");
  await expect(card.getByRole("heading", { name: "Order cancelled" })).toBeVisible();
  await expect(chat.locator(".bubble").last()).toContainText("“Found it elsewhere”");
  expect(await visit.applications()).toHaveLength(1);
});

import { expect, type Tab, test, type Visit } from "../shop-visit.ts";

async function live(visit: Visit): Promise<Tab> {
  const tab = await visit.open();
  await tab.say(`cancel order ${visit.order} because it arrives too late`);
  await expect(tab.button("Cancel order")).toBeEnabled();
  return tab;
}

test("CARD-42 nothing is live under a layer that can hardly be seen, and it is when the layer is gone", async ({
  visit,
  page,
}) => {
  const tab = await live(visit);
  await page.evaluate(() => {
    const layer = document.createElement("div");
    layer.id = "layer";
    layer.style.setProperty("position", "fixed");
    layer.style.setProperty("inset", "0");
    layer.style.setProperty("background", "rgb(255 255 255 / 0.01)");
    layer.style.setProperty("pointer-events", "none");
    document.body.append(layer);
  });
  await expect(tab.button("Cancel order")).toBeDisabled();
  await expect(tab.button("Keep order")).toBeDisabled();
  await expect(tab.card.getByText("Something covers these buttons.")).toBeVisible();
  await page.evaluate(() => document.getElementById("layer")?.remove());
  await expect(tab.button("Cancel order")).toBeEnabled();
});

test("CARD-42 nothing is live in a card that is made transparent", async ({ visit, page }) => {
  const tab = await live(visit);
  await tab.card.evaluate((slot) => slot.style.setProperty("opacity", "0.02"));
  await expect(tab.button("Cancel order")).toBeDisabled();
  expect(await page.evaluate(() => document.querySelector(".cs-card")?.getAttribute("data-state"))).toBe(
    "proposed",
  );
});

test("CARD-42 a script of the page cannot press", async ({ visit }) => {
  const tab = await live(visit);
  const seen = tab.page.waitForRequest(/\/confirm$/).catch(() => null);
  await tab.button("Cancel order").evaluate((button: HTMLButtonElement) => {
    button.click();
    button.dispatchEvent(new KeyboardEvent("keydown", { key: "Enter", bubbles: true }));
  });
  await expect(tab.button("Cancel order")).toBeEnabled();
  await tab.button("Keep order").click();
  await expect(tab.card).toContainText("Nothing was changed.");
  expect(await visit.applications()).toEqual([]);
  await tab.page.close();
  expect(await seen).toBeNull();
});

test("CARD-42 a click that meets the button where something else was a moment ago does nothing", async ({
  visit,
  page,
}) => {
  const tab = await live(visit);
  const place = await tab.button("Cancel order").boundingBox();
  const x = (place?.x ?? 0) + 20;
  const y = (place?.y ?? 0) + 10;
  await page.mouse.move(x, y - 40);
  await tab.card.evaluate((slot) => {
    slot.style.setProperty("position", "relative");
    slot.style.setProperty("top", "-40px");
  });
  await page.mouse.down();
  await page.mouse.up();
  await expect(tab.button("Cancel order")).toBeDisabled();
  await expect(tab.button("Cancel order")).toBeEnabled();
  await page.mouse.down();
  await page.mouse.up();
  await expect(tab.card.getByRole("heading", { name: "Order cancelled" })).toBeVisible();
  expect(await visit.applications()).toHaveLength(1);
});

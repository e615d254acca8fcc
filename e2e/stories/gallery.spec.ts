import { AxeBuilder } from "@axe-core/playwright";
import { en } from "@countersign/review-card/messages/en";
import { expect, type Page, test } from "@playwright/test";
import { boxFaults, textsOf } from "../card-checks.ts";
import { pairwise } from "../pairwise.ts";

// As the gallery's index offers them; a test below compares.
const galleryStates = [
  "proposed",
  "edited",
  "drifted",
  "expired",
  "running",
  "awaiting_verification",
  "pending",
  "unknown",
  "applied",
  "not_applied",
  "declined",
  "withdrawn",
  "superseded",
  "high_risk",
  "long_values",
  "hostile_values",
  "many_fields",
] as const;
const brands = ["", "harbor", "ember", "contrast"] as const;
const schemes = ["light", "dark"] as const;
const galleryLocales = ["en", "es", "pt-BR", "fr", "de", "ar", "hi", "ja"] as const;
const galleryWidths = ["320", "360", "560"] as const;

const themeOf = (brand: string, scheme: string): string => (brand === "" ? scheme : `${brand}-${scheme}`);

type GalleryChoice = {
  readonly state: string;
  readonly theme: string;
  readonly locale: string;
  readonly width: string;
};

const pairs = pairwise(
  {
    state: galleryStates,
    brand: brands,
    scheme: schemes,
    locale: galleryLocales,
    width: galleryWidths,
  },
  { seldom: ["state", "locale"], atLeast: 80 },
);

const rows: readonly GalleryChoice[] = pairs.map(({ brand, scheme, ...rest }) => ({
  ...rest,
  theme: themeOf(brand, scheme),
}));

/** Names of the catalogue's entries that are no words of any language. */
const keys = Object.keys(en).filter((key) => /[_A-Z]/.test(key));

/** The card's own words for its controls, in English. */
const englishControls: readonly string[] = [
  ...[en.change, en.showLess, en.moreTime, en.verify, en.copy, en.print, en.details, en.save, en.discard],
];

/** What a tool's own buttons say in English. */
const englishLabels = [
  "Cancel order",
  "Keep order",
  "Reopen order",
  "Close account",
  "Keep account",
  "Send note",
  "Do not send",
];

function textFaults(
  locale: string,
  { all, buttons }: Awaited<ReturnType<typeof textsOf>>,
): readonly string[] {
  const english = [...englishControls, ...englishLabels];
  return [
    ...keys.filter((key) => new RegExp(`\\b${key}\\b`).test(all)).map((key) => `a key is shown: ${key}`),
    ...(all.match(/\{\w+\}|\bundefined\b|\bNaN\b|\[object /g) ?? []).map((text) => `not filled in: ${text}`),
    ...buttons.filter((text) => text === "").map(() => "a button without words"),
    ...buttons
      .filter((text) => locale !== "en" && (english.includes(text) || /^Show \d/.test(text)))
      .map((text) => `still English: ${text}`),
  ];
}

async function faultsOf(page: Page, choice: GalleryChoice): Promise<readonly string[]> {
  await page.setViewportSize({ width: Number(choice.width), height: 900 });
  await page.goto(`/gallery?${new URLSearchParams(choice)}`);
  const card = page.locator(".cs-card");
  await expect(card).toBeVisible();
  const boxes = await boxFaults(card);
  const texts = textFaults(choice.locale, await textsOf(card));
  const { violations } = await new AxeBuilder({ page }).analyze();
  const objections = violations.flatMap(({ id, nodes }) => nodes.map(({ html }) => `axe ${id}: ${html}`));
  return [...boxes, ...texts, ...objections];
}

for (const state of galleryStates) {
  test(`PLAY-30 the card is whole, still and readable in pairs of looks: ${state}`, async ({
    page,
  }, info) => {
    const policy: string[] = [];
    page.on("console", (message) => {
      if (message.text().includes("Content Security Policy")) policy.push(message.text());
    });
    const looks = rows.filter((row) => row.state === state);
    expect(looks.length).toBeGreaterThan(0);
    const found: string[] = [];
    for (const look of looks) {
      const name = [look.theme, look.locale, look.width].join(" ");
      const faults = await faultsOf(page, look);
      found.push(...faults.map((fault) => `${name}: ${fault}`));
      if (faults.length > 0) {
        await info.attach(name, {
          body: await page.screenshot({ fullPage: true }),
          contentType: "image/png",
        });
      }
    }
    expect([...found, ...policy]).toEqual([]);
  });
}

test("PLAY-30 the check finds what stands out, what overlaps, and words that are missing", async ({
  page,
}) => {
  await page.setViewportSize({ width: 360, height: 900 });
  await page.goto("/gallery?state=proposed&theme=light&locale=de&width=360");
  const card = page.locator(".cs-card");
  await expect(card).toBeVisible();
  await card.evaluate((root) => {
    const buttons = root.querySelectorAll<HTMLElement>(".cs-actions button");
    for (const button of buttons) {
      button.style.gridArea = "1 / 1";
      button.textContent = "Cancel order";
    }
    const title = root.querySelector<HTMLElement>(".cs-title");
    if (title === null) throw new Error("The card has no title.");
    title.style.inlineSize = "40rem";
    title.textContent = "{value} savedLookAgain";
  });
  const kinds = [...(await boxFaults(card)), ...textFaults("de", await textsOf(card))].map(
    (fault) => fault.split(":")[0] ?? "",
  );
  // That the layout shifted is told with the next frame, or the one after.
  expect([...new Set(kinds)].filter((kind) => !kind.startsWith("the layout shifted")).sort()).toEqual([
    "a key is shown",
    "its content stands out of it",
    "not filled in",
    "overlap",
    "stands out of the card",
    "still English",
    "the page scrolls sideways",
  ]);
});

test("PLAY-30 the index leads to every state in the look that is picked, and passes the check itself", async ({
  page,
}) => {
  await page.goto("/gallery");
  expect((await new AxeBuilder({ page }).analyze()).violations).toEqual([]);
  const offered = (name: string): Promise<readonly string[]> =>
    page.getByRole("combobox", { name }).getByRole("option").allTextContents();
  expect([...(await offered("Theme"))].sort()).toEqual(
    brands.flatMap((brand) => schemes.map((scheme) => themeOf(brand, scheme))).sort(),
  );
  expect(await offered("Language")).toEqual(galleryLocales);
  expect(await offered("Width")).toEqual(galleryWidths);
  await page.getByRole("combobox", { name: "Theme" }).selectOption("ember-dark");
  await page.getByRole("combobox", { name: "Language" }).selectOption("ar");
  await page.getByRole("combobox", { name: "Width" }).selectOption("320");
  await expect(page.getByRole("listitem")).toHaveText(
    galleryStates.map((state) => state.replaceAll("_", " ")),
  );
  await page.getByRole("link", { name: "high risk", exact: true }).click();
  await expect(page.locator(".cs-card")).toHaveAttribute("dir", "rtl");
  expect(new URL(page.url()).search).toBe("?theme=ember-dark&locale=ar&width=320&state=high_risk");
});

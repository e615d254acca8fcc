import type { Locator } from "@playwright/test";

/** What is wrong with the boxes of a card: one line each. */
export const boxFaults = (card: Locator): Promise<readonly string[]> =>
  card.evaluate(async (root) => {
    type Box = { readonly name: string; readonly element: Element; readonly box: DOMRect };
    const nameOf = (element: Element): string =>
      `${element.tagName.toLowerCase()}.${element.getAttribute("class") ?? ""} "${(element.textContent ?? "").slice(0, 30)}"`;
    const boxes = (): readonly Box[] =>
      [...root.querySelectorAll("*")]
        .filter((element) => !element.closest(".cs-hidden"))
        .map((element) => ({ name: nameOf(element), element, box: element.getBoundingClientRect() }))
        .filter(({ box }) => box.width > 0 && box.height > 0);
    const frame = (): Promise<number> => new Promise((resolve) => requestAnimationFrame(resolve));

    await document.fonts.ready;
    await frame();
    const before = boxes();
    const { left, right } = root.getBoundingClientRect();
    const outside = before
      .filter(({ box }) => box.left < left - 0.5 || box.right > right + 0.5)
      .map(({ name }) => `stands out of the card: ${name}`);
    const spilt = before
      .filter(({ element }) => getComputedStyle(element).display !== "inline" && element.clientWidth > 0)
      .filter(({ element }) => element.scrollWidth > element.clientWidth + 1)
      .map(({ name }) => `its content stands out of it: ${name}`);
    const page = document.documentElement;
    const sideways = page.scrollWidth > page.clientWidth ? ["the page scrolls sideways"] : [];

    const targets = before.filter(({ element }) =>
      element.matches("button, summary, a, input, textarea, select"),
    );
    const overlapping = targets.flatMap(({ name, box }, at) =>
      targets
        .slice(at + 1)
        .filter(
          ({ box: other }) =>
            Math.min(box.right, other.right) - Math.max(box.left, other.left) > 0.5 &&
            Math.min(box.bottom, other.bottom) - Math.max(box.top, other.top) > 0.5,
        )
        .map((other) => `overlap: ${name} and ${other.name}`),
    );

    await frame();
    const moved = before
      .filter(({ element, box }) => {
        const now = element.getBoundingClientRect();
        return now.x !== box.x || now.y !== box.y || now.width !== box.width || now.height !== box.height;
      })
      // The spinner turns.
      .filter(({ element }) => !element.matches(".cs-spinner"))
      .map(({ name }) => `moved: ${name}`);
    const shifts = await new Promise<number>((resolve) => {
      const shift = { type: "layout-shift", buffered: true } as const;
      const observer = new PerformanceObserver((list) => {
        observer.disconnect();
        resolve(list.getEntries().length);
      });
      observer.observe(shift);
      // Where nothing shifted the observer is never called.
      requestAnimationFrame(() => requestAnimationFrame(() => resolve(0)));
    });
    return [
      ...outside,
      ...spilt,
      ...sideways,
      ...overlapping,
      ...moved,
      ...(shifts > 0 ? [`the layout shifted ${shifts} times since the page began`] : []),
    ];
  });

/** The texts of a card as they stand in the page, with those that only a screen reader says. */
export const textsOf = (
  card: Locator,
): Promise<{ readonly all: string; readonly buttons: readonly string[] }> =>
  card.evaluate((root) => {
    const texts: string[] = [];
    const walker = document.createTreeWalker(root, NodeFilter.SHOW_TEXT);
    while (walker.nextNode()) texts.push(walker.currentNode.textContent ?? "");
    const named = [...root.querySelectorAll("[aria-label]")].map(
      (each) => each.getAttribute("aria-label") ?? "",
    );
    return {
      all: [...texts, ...named].join("\n"),
      buttons: [...root.querySelectorAll("button, summary, a")].map((each) =>
        (each.textContent ?? "").trim(),
      ),
    };
  });

import type { APIRequestContext, Locator, Page } from "@playwright/test";
import { test as base, expect } from "@playwright/test";

/** How the shop answers changes; see the playground's shop service. */
export type ShopMode = "usual" | "ok" | "accept" | "refuse" | "fail_after" | "hang" | "slow";

/** What the shop did to an order, in its own append-only record. */
export type Application = { readonly key: string; readonly kind: string; readonly orderNumber: string };

/** One browser tab on the conversation of a story. */
export type Tab = {
  readonly page: Page;
  /** The conversation, without the panel beside it. */
  readonly chat: Locator;
  readonly card: Locator;
  /** What stands behind the scenes: switches and journal. */
  readonly behind: Locator;
  say(text: string): Promise<void>;
  button(name: string): Locator;
  become(person: "Ana" | "Ben" | "Signed out"): Promise<void>;
};

/** A story's own conversation and its own order of Ana's, so that stories can run beside each other. */
export type Visit = {
  readonly conversationId: string;
  readonly order: string;
  open(page?: Page): Promise<Tab>;
  /** Another tab of the same browser on the same conversation. */
  openAnother(): Promise<Tab>;
  shopAnswers(mode: ShopMode, operations?: "up" | "down"): Promise<void>;
  finishAccepted(): Promise<void>;
  applications(order?: string): Promise<readonly Application[]>;
  orderNow(order?: string): Promise<Record<string, unknown>>;
};

async function tabOf(page: Page, conversationId: string): Promise<Tab> {
  await page.goto(`/?c=${conversationId}`);
  const chat = page.getByRole("main");
  const behind = page.getByRole("complementary");
  const card = chat.locator(".card-slot");
  const input = page.getByRole("textbox", { name: "Message" });
  await expect(input).toBeVisible();
  return {
    page,
    chat,
    card,
    behind,
    async say(text) {
      await input.fill(text);
      await input.press("Enter");
      await expect(chat.locator(".from-customer").last()).toHaveText(
        new RegExp(`${text.replaceAll(/[.*+?^${}()|[\]\\]/g, "\\$&")}$`),
      );
    },
    button: (name) => card.getByRole("button", { name, exact: true }),
    async become(person) {
      const button = behind.getByRole("button", { name: person, exact: true });
      await button.click();
      await expect(button).toHaveAttribute("aria-pressed", "true");
    },
  };
}

function shopOf(
  request: APIRequestContext,
  conversationId: string,
  order: string,
): Omit<Visit, "open" | "openAnother" | "conversationId" | "order"> {
  const ask = async (
    method: "get" | "put" | "post",
    path: string,
    data?: unknown,
  ): Promise<Record<string, unknown>> => {
    const response = await request[method](`/bot/shop${path}`, {
      // A kept connection may be closed by the server in the moment it is used again; browsers ask once more, too.
      maxRetries: 2,
      ...(data === undefined ? {} : { data }),
    });
    expect(response.ok()).toBe(true);
    return response.json();
  };
  return {
    async shopAnswers(mode, operations = "up") {
      await ask("put", "/behaviour", { conversationId, mode, operations, slowMs: 1500 });
    },
    async finishAccepted() {
      expect(await ask("post", "/finish", { conversationId })).toEqual({ finished: 1 });
    },
    applications: async (of = order) =>
      (await ask("get", `/applications?order=${of}`)).applications as readonly Application[],
    orderNow: async (of = order) => (await ask("get", `/orders/${of}`)).order as Record<string, unknown>,
  };
}

/** Playwright's test with a story's own visit to the shop. */
export const test: ReturnType<typeof base.extend<{ visit: Visit }>> = base.extend<{ visit: Visit }>({
  visit: async ({ context, page, request }, use, info) => {
    const faults: string[] = [];
    context.on("weberror", (error) => faults.push(String(error.error())));
    context.on("console", (message) => {
      if (message.text().includes("Content Security Policy")) faults.push(message.text());
    });
    const conversationId = `story-${info.testId}-${info.repeatEachIndex}-${info.retry}`;
    const placed = await request.post("/bot/shop/orders", { data: { person: "ana" }, maxRetries: 2 });
    const { order } = (await placed.json()) as { order: { number: string } };
    await use({
      conversationId,
      order: order.number,
      open: (on = page) => tabOf(on, conversationId),
      openAnother: async () => tabOf(await context.newPage(), conversationId),
      ...shopOf(request, conversationId, order.number),
    });
    expect(faults).toEqual([]);
  },
});

export { expect };

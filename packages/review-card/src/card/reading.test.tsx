import { act, cleanup, render, screen, within } from "@testing-library/react";
import { userEvent } from "@testing-library/user-event";
import { renderToString } from "react-dom/server";
import { afterEach, describe, expect, it, vi } from "vitest";
import { cancelOrder, closeAccount, refund, sendNote } from "../example-cards.ts";
import { button, isLive, never, putCard } from "../put-card.tsx";
import { ReviewCard } from "../review-card.tsx";

afterEach(cleanup);

const note = sendNote().fields[1]?.display ?? "";

describe("a long value", () => {
  it("CARD-43 shows its beginning and how much is left, and has Confirm wait until it was opened", async () => {
    const onConfirm = vi.fn(never);
    putCard({ card: sendNote(), onConfirm });
    const user = userEvent.setup();
    const confirm = button("Send note");
    const more = button("Show 236 more characters (Note)");
    expect(more.getAttribute("aria-expanded")).toBe("false");
    expect([isLive(confirm), isLive(button("Do not send"))]).toEqual([false, true]);
    const why = document.getElementById(confirm.getAttribute("aria-describedby") ?? "");
    expect(why?.textContent).toContain("To confirm, first show all of “Note”.");
    await user.click(confirm);
    expect(onConfirm).not.toHaveBeenCalled();
    await user.click(more);
    expect(document.activeElement).toBe(button("Show less (Note)"));
    expect(isLive(confirm)).toBe(true);
    await user.click(button("Show less (Note)"));
    await user.click(confirm);
    expect(onConfirm).toHaveBeenCalledTimes(1);
  });

  it("CARD-43 stands in the page in full, opened or not, also in what a server renders", () => {
    const { root } = putCard({ card: sendNote() });
    const shown = [...root().querySelectorAll("bdi")].find((each) => each.textContent?.startsWith("Hello"));
    expect(shown?.textContent).toBe(`${note}…`);
    expect(shown?.querySelector<HTMLElement>("[hidden]")?.textContent).toHaveLength(236);
    expect(renderToString(<ReviewCard card={sendNote()} />)).toContain("Thank you!");
  });

  it.each([
    ["50 kB", "x".repeat(50_000)],
    ["500 lines", "line\n".repeat(500)],
    ["an override of direction", `${"a ".repeat(200)}⟦U+202E⟧ gpj.exe`],
    ["tag characters", `${"a ".repeat(200)}⟦U+E0041×40⟧`],
  ])("CARD-43 changes neither the order of rows nor of buttons: %s", (_, text) => {
    putCard({ card: sendNote({}, text) });
    expect(screen.getAllByRole("term").map((term) => term.textContent)).toEqual(["Order", "Note"]);
    const names = screen.getAllByRole("button").map((each) => each.textContent);
    expect(names.slice(-3)).toEqual(["Send note", "Do not send", "More time"]);
    expect(names[0]).toMatch(/^Show [\d,]+ more characters \(Note\)$/);
  });

  it("CARD-43 is opened wherever it stands, in a list and in what changes", async () => {
    const long = "Words that go on. ".repeat(30).trim();
    const items = { argument: "/i", label: "Items", format: "list", display: "-", editable: false } as const;
    putCard({
      card: cancelOrder({
        fields: [{ ...items, items: ["short", long] }],
        effects: [{ label: "Text", before: "short", after: long }],
      }),
    });
    const user = userEvent.setup();
    expect(isLive(button("Cancel order"))).toBe(false);
    await user.click(button(/more characters \(Items\)/));
    expect(isLive(button("Cancel order"))).toBe(true);
    expect(button(/more characters \(Text\)/)).toBeTruthy();
  });
});

describe("what stays the same", () => {
  it("CARD-46 is folded away with its count, and can be opened", () => {
    putCard({
      card: cancelOrder({
        effects: [
          { label: "Street", before: "1 Quay Street", after: "2 Quay Street" },
          { label: "Town", before: "Exampleton", after: "Exampleton" },
          { label: "Added", before: null, after: "1" },
        ],
      }),
    });
    const fold = screen.getByText("1 unchanged value").closest("details");
    expect(fold?.open).toBe(false);
    expect(within(fold as HTMLElement).getByRole("term").textContent).toBe("Town");
    const changes = screen.getByText("What changes").closest<HTMLElement>(".cs-effects");
    expect(
      within(changes as HTMLElement)
        .getAllByRole("term")
        .map((each) => each.textContent),
    ).toEqual(["Street", "Added"]);
  });
});

describe("a write of high risk", () => {
  it("CARD-44 is confirmed by keyboard alone, and Enter in the word's field does nothing", async () => {
    const onConfirm = vi.fn(never);
    putCard({ card: closeAccount(), onConfirm });
    const user = userEvent.setup();
    const input = screen.getByLabelText("Type CLOSE to go on");
    expect(isLive(button("Close account"))).toBe(false);
    await user.tab();
    expect(document.activeElement).toBe(input);
    await user.keyboard("close{Enter}");
    expect(onConfirm).not.toHaveBeenCalled();
    expect(isLive(button("Close account"))).toBe(true);
    await user.tab();
    await user.keyboard("{Enter}");
    expect(onConfirm).toHaveBeenCalledTimes(1);
    expect(onConfirm.mock.calls[0]).toEqual([{ writeId: "wr_3C6V9LQS", version: 1, digest: "d".repeat(64) }]);
  });

  it("CARD-44 says that the word is not sent, and keeps its field while the answer is on its way", async () => {
    putCard({ card: closeAccount() });
    const user = userEvent.setup();
    const input = screen.getByLabelText<HTMLInputElement>("Type CLOSE to go on");
    const described = (element: Element): string | null | undefined =>
      document.getElementById(element.getAttribute("aria-describedby") ?? "")?.textContent;
    const help = "This is not sent. It only makes the button ready.";
    expect([described(input), described(button("Close account"))]).toEqual([help, help]);
    await user.type(input, "CLOSE");
    await user.click(button("Close account"));
    await user.type(input, "!");
    expect([input.value, input.getAttribute("aria-disabled")]).toEqual(["CLOSE", "true"]);
  });

  it("CARD-44 asks for no word where nothing can be confirmed, or only a verification is left", () => {
    const { unmount } = render(<ReviewCard card={closeAccount()} onDecline={never} />);
    expect(screen.queryByRole("textbox")).toBeNull();
    unmount();
    const stepUp = {
      level: null,
      maxAuthAgeSeconds: null,
      until: "2026-11-30T21:43:00.000Z",
      verifyUrl: null,
    };
    putCard({ card: closeAccount({ state: "awaiting_verification", stepUp }) });
    expect(screen.queryByRole("textbox")).toBeNull();
  });
});

describe("a verification that is awaited", () => {
  const stepUp = {
    level: "high",
    maxAuthAgeSeconds: 300,
    until: "2026-11-30T21:43:00.000Z",
    verifyUrl: "https://shop.example/verify",
  } as const;

  it("CARD-48 keeps all that was confirmed in view, and offers the host's way to verify and declining", async () => {
    const onVerify = vi.fn();
    const onDecline = vi.fn(never);
    putCard({ card: refund({ state: "awaiting_verification", stepUp }), onVerify, onDecline });
    expect(screen.getAllByRole("term").map((term) => term.nextElementSibling?.textContent)).toEqual([
      "€24.00",
      "Debit •••• 0123",
      "A-1042",
      "Tea glass, set of 4Linen napkin, grey",
    ]);
    const user = userEvent.setup();
    await user.click(button("Verify it is you"));
    expect(onVerify).toHaveBeenCalledTimes(1);
    await user.click(button("Do not refund"));
    expect(onDecline.mock.calls).toEqual([[{ writeId: "wr_2F6R9CJP", version: 1 }]]);
  });
});

describe("more time", () => {
  it("CARD-30 is had by one press, said once, and keeps the focus in the card", async () => {
    const later = cancelOrder({ seq: 2, expiresAt: "2026-11-30T21:56:00.000Z", canExtend: false });
    const onExtend = vi.fn(async () => ({ type: "ok", card: later }) as const);
    putCard({ card: cancelOrder(), onExtend });
    await userEvent.setup().click(button("More time"));
    await act(async () => {});
    expect(onExtend.mock.calls).toEqual([[{ writeId: "wr_7Q4M2KXD", version: 1 }]]);
    expect(screen.getByRole("status").textContent).toBe("Open until Mon, 30 Nov 2026, 22:56 CET");
    expect(screen.queryByRole("button", { name: "More time" })).toBeNull();
    expect(document.activeElement).toBe(screen.getByRole("heading", { name: "Cancel this order?" }));
    expect(isLive(button("Cancel order"))).toBe(true);
  });

  it("CARD-30 is not offered where the tool does not allow it", () => {
    putCard({ card: refund() });
    expect(screen.queryByRole("button", { name: "More time" })).toBeNull();
  });
});

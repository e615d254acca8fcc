import type { WriteState } from "@countersign/core/card";
import { act, cleanup, screen } from "@testing-library/react";
import { userEvent } from "@testing-library/user-event";
import { afterEach, describe, expect, it, vi } from "vitest";
import { cancelOrder, exampleTime, refund } from "../example-cards.ts";
import { button, isLive, putCard, receiptOf } from "../put-card.tsx";
import type { ReviewCardProps } from "../review-card.tsx";

afterEach(cleanup);

describe("each state", () => {
  const states: readonly (readonly [string, ReviewCardProps, string])[] = [
    ["loading", { card: undefined }, "Loading the proposal…"],
    ["proposed", { card: cancelOrder() }, "Nothing has changed yet."],
    [
      "sending",
      { card: cancelOrder({ state: "running", decidedAt: "2026-11-30T21:33:10.000Z" }) },
      "You confirmed at 22:33:10 CET.",
    ],
    ["checking", { card: cancelOrder(), fresh: false }, "Checking how this stands…"],
    ["offline", { card: cancelOrder(), online: false }, "You are offline"],
    [
      "awaiting_verification",
      {
        card: refund({
          state: "awaiting_verification",
          stepUp: {
            level: "high",
            maxAuthAgeSeconds: 300,
            until: "2026-11-30T21:43:00.000Z",
            verifyUrl: "https://shop.example/verify",
          },
        }),
      },
      "Waits until Mon, 30 Nov 2026, 22:43 CET",
    ],
    [
      "applied",
      { card: cancelOrder({ state: "applied", receipt: receiptOf("applied", "Order cancelled") }) },
      "Mon, 30 Nov 2026, 22:34 CET",
    ],
    [
      "not_applied",
      { card: cancelOrder({ state: "not_applied", receipt: receiptOf("not_applied", "Not cancelled") }) },
      "Nothing was changed.",
    ],
    [
      "declined",
      { card: cancelOrder({ state: "declined", receipt: receiptOf("declined", "Order kept") }) },
      "Nothing was changed.",
    ],
    ["expired", { card: cancelOrder({ state: "expired" }) }, "Nothing was changed."],
    [
      "withdrawn",
      { card: cancelOrder({ state: "withdrawn", reason: "found" }) },
      "Withdrawn: found. Nothing was changed.",
    ],
    [
      "superseded",
      { card: cancelOrder({ state: "superseded", reason: "customer_changed" }) },
      "Set aside, because someone else signed in. Nothing was changed.",
    ],
    [
      "pending",
      { card: cancelOrder({ state: "pending", receipt: receiptOf("pending", "Accepted") }) },
      "You need do nothing",
    ],
    [
      "unknown",
      {
        card: cancelOrder({
          state: "unknown",
          receipt: receiptOf("unknown", "It may or may not have gone through."),
        }),
      },
      "It may or may not have gone through.",
    ],
    ["ended", { card: cancelOrder(), ended: "signed_out" }, "because you signed out"],
  ];

  it.each(states)("CARD-36 says in words that it is %s", (state, props, words) => {
    const { root } = putCard(props);
    expect(root().dataset.state).toBe(state);
    expect(root().textContent).toContain(words);
    expect(screen.getByRole("region", { name: /\S/ })).toBe(root());
  });

  it.each([
    "expired",
    "withdrawn",
    "superseded",
    "pending",
    "unknown",
    "declined",
    "not_applied",
  ] satisfies WriteState[])("CARD-36 leaves nothing to decide: %s", (state) => {
    putCard({ card: cancelOrder({ state, receipt: receiptOf("unknown", "Title") }) });
    expect(screen.queryByRole("button", { name: /cancel order|keep order|change|again/i })).toBeNull();
  });

  it("CARD-29 takes its controls away when the server's time is up, with the device an hour off", () => {
    vi.spyOn(Date, "now").mockReturnValue(Date.parse(exampleTime) - 3_600_000);
    const { timers, root } = putCard({ card: cancelOrder() });
    act(() => timers.advance(8 * 60_000 - 501));
    expect(isLive(button("Cancel order"))).toBe(true);
    act(() => timers.advance(1));
    expect(root().dataset.state).toBe("expired");
    expect(screen.queryByRole("button", { name: /order/ })).toBeNull();
    vi.restoreAllMocks();
  });

  it("CARD-27 does not go back when an older snapshot comes late", () => {
    const { again, root } = putCard({
      card: cancelOrder({ state: "declined", seq: 2, receipt: receiptOf("declined", "Order kept") }),
    });
    again({ card: cancelOrder() });
    expect(root().dataset.state).toBe("declined");
  });

  it("CARD-37 offers only a web address as the way to verify", () => {
    const stepUp = { level: null, maxAuthAgeSeconds: null, until: "2026-11-30T21:43:00.000Z" };
    putCard({
      card: refund({
        state: "awaiting_verification",
        stepUp: { ...stepUp, verifyUrl: "javascript:alert(1)" },
      }),
    });
    expect(screen.queryByRole("link")).toBeNull();
    expect(isLive(button("Do not refund"))).toBe(true);
  });

  it("CARD-38 copies the reference of a receipt, and says so", async () => {
    putCard({ card: cancelOrder({ state: "applied", receipt: receiptOf("applied", "Order cancelled") }) });
    const user = userEvent.setup();
    await user.click(button("Copy Reference"));
    expect(await navigator.clipboard.readText()).toBe("wr_7Q4M2KXD");
    expect(screen.getByRole("status").textContent).toBe("Copied");
  });

  it("CARD-38 speaks the host's words where the host gives some", () => {
    putCard({
      card: cancelOrder(),
      messages: { proposed: "Proposed by Harbor Shop. Nothing has changed yet." },
    });
    expect(screen.getByText("Proposed by Harbor Shop. Nothing has changed yet.")).toBeTruthy();
  });
});

import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { act, cleanup, render, screen, waitFor } from "@testing-library/react";
import { userEvent } from "@testing-library/user-event";
import type { ReactElement } from "react";
import { afterEach, describe, expect, it } from "vitest";
import { cancelOrder, exampleTime } from "../example-cards.ts";
import { type FarSide, farSide, jsonResponse } from "../far-side.ts";
import { type ManualTimers, manualTimers } from "../manual-timers.ts";
import { ReviewCard } from "../review-card.tsx";
import { useReviewCard } from "./use-review-card.ts";

afterEach(cleanup);

function Slot({
  far,
  timers,
  token = "t-1",
}: {
  far: FarSide;
  timers: ManualTimers;
  token?: string;
}): ReactElement {
  const card = useReviewCard({
    baseUrl: "http://shop.example",
    token,
    fetch: far.fetch,
    follow: { timers },
    pollMs: 20,
  });
  return (
    <div data-testid="slot" data-status={card.status}>
      <ReviewCard {...card} armDelayMs={0} trusts={() => true} />
    </div>
  );
}

function InPlace({ far, timers }: { far: FarSide; timers: ManualTimers }): ReactElement {
  const card = useReviewCard({
    baseUrl: "http://shop.example",
    getToken: () => "t-1",
    fetch: far.fetch,
    follow: { timers },
  });
  return <ReviewCard {...card} armDelayMs={0} trusts={() => true} />;
}

function put(far: FarSide, slots = 1): { timers: ManualTimers; unmount: () => void } {
  const timers = manualTimers();
  const queryClient = new QueryClient();
  const { unmount } = render(
    <QueryClientProvider client={queryClient}>
      {Array.from({ length: slots }, (_, index) => `slot ${index}`).map((key) => (
        <Slot key={key} far={far} timers={timers} />
      ))}
    </QueryClientProvider>,
  );
  return { timers, unmount };
}

const liveConfirm = async (): Promise<HTMLElement[]> => {
  await waitFor(() => {
    const buttons = screen.getAllByRole("button", { name: "Cancel order" });
    expect(buttons.map((each) => each.getAttribute("aria-disabled"))).toEqual(buttons.map(() => null));
  });
  return screen.getAllByRole("button", { name: "Cancel order" });
};
const states = (): (string | undefined)[] => screen.getAllByRole("region").map((each) => each.dataset.state);

describe("the card of a session", () => {
  it("CARD-40 is loaded, followed on one stream, and decided", async () => {
    const far = farSide();
    put(far);
    expect(states()).toEqual(["loading"]);
    const [confirm] = await liveConfirm();
    await userEvent.setup().click(confirm as HTMLElement);
    await waitFor(() => expect(states()).toEqual(["applied"]));
    expect(far.requests.filter((request) => request.startsWith("POST"))).toEqual([
      "POST /v1/card/wr_7Q4M2KXD/confirm",
    ]);
  });

  it("CARD-40 is one for two cards: one stream, one request, and the decision shows in both", async () => {
    const far = farSide();
    let answer: (response: Response) => void = () => {};
    far.confirm = () =>
      new Promise((resolve) => {
        answer = resolve;
      });
    put(far, 2);
    const [first, second] = await liveConfirm();
    expect(far.streams()).toBe(1);
    const user = userEvent.setup();
    await user.click(first as HTMLElement);
    await user.click(second as HTMLElement);
    expect(states()).toEqual(["sending", "sending"]);
    await act(async () =>
      answer(jsonResponse({ card: cancelOrder({ state: "applied", seq: 4 }), serverTime: exampleTime })),
    );
    await waitFor(() => expect(states()).toEqual(["applied", "applied"]));
    expect(far.requests.filter((request) => request.startsWith("POST"))).toHaveLength(1);
  });

  it("CARD-40 changes when the stream says so", async () => {
    const far = farSide();
    put(far);
    await liveConfirm();
    far.card = cancelOrder({ state: "withdrawn", seq: 2, reason: "dismissed" });
    act(() => far.push("card", { card: far.card, serverTime: exampleTime }));
    await waitFor(() => expect(states()).toEqual(["withdrawn"]));
  });

  it("CARD-40 is read again and again while there is no stream", async () => {
    const far = farSide();
    far.streaming = false;
    put(far);
    await liveConfirm();
    expect(screen.getByTestId("slot").dataset.status).toBe("polling");
    far.card = cancelOrder({ state: "declined", seq: 2 });
    await waitFor(() => expect(states()).toEqual(["declined"]));
  });

  it("CARD-28 has nothing live while the server cannot be reached, and comes back by itself", async () => {
    const far = farSide();
    far.streaming = false;
    put(far);
    await liveConfirm();
    far.readStatus = 0;
    await waitFor(() => expect(states()).toEqual(["offline"]));
    far.readStatus = 200;
    await waitFor(() => expect(states()).toEqual(["proposed"]), { timeout: 5000 });
  });

  it("CARD-26 comes alive in no card before the server said what became of a lost decision", async () => {
    const far = farSide();
    far.confirm = () => {
      far.readStatus = 0;
      return Promise.reject(new TypeError("Failed to fetch"));
    };
    put(far, 2);
    const [first] = await liveConfirm();
    await userEvent.setup().click(first as HTMLElement);
    await waitFor(() => expect(states()).toEqual(["checking", "checking"]));
    act(() => far.push("card", { card: cancelOrder(), serverTime: exampleTime }));
    expect(states()).toEqual(["checking", "checking"]);
    far.card = cancelOrder({ state: "applied", seq: 4 });
    far.readStatus = 200;
    await waitFor(() => expect(states()).toEqual(["applied", "applied"]), { timeout: 5000 });
  });

  it("CARD-39 ends with its stream when the server ends the session", async () => {
    const far = farSide();
    put(far);
    await liveConfirm();
    act(() => far.push("end", { reason: "customer_changed" }));
    await waitFor(() => expect(states()).toEqual(["ended"]));
    expect(far.streams()).toBe(0);
    expect(screen.queryByRole("button")).toBeNull();
    expect(screen.getByTestId("slot").dataset.status).toBe("ended");
  });

  it("CARD-39 shows nothing of the former customer once another one has the card", async () => {
    const far = farSide();
    const queryClient = new QueryClient();
    const timers = manualTimers();
    const page = (token: string): ReactElement => (
      <QueryClientProvider client={queryClient}>
        <Slot far={far} timers={timers} token={token} />
      </QueryClientProvider>
    );
    const { rerender } = render(page("ana"));
    await liveConfirm();
    act(() => far.push("end", { reason: "customer_changed" }));
    await waitFor(() => expect(states()).toEqual(["ended"]));
    far.card = cancelOrder({
      writeId: "wr_bens",
      title: "Close this account?",
      createdAt: "2026-11-29T10:00:00.000Z",
    });
    rerender(page("ben"));
    expect(states()).toEqual(["loading"]);
    await liveConfirm();
    expect(screen.getAllByRole("heading")[0]?.textContent).toBe("Close this account?");
    expect(far.streams()).toBe(1);
  });

  it("CARD-40 asks for tokens with the latest function, and opens one stream, where that is written in place", async () => {
    const far = farSide();
    const timers = manualTimers();
    const queryClient = new QueryClient();
    const page = (): ReactElement => (
      <QueryClientProvider client={queryClient}>
        <InPlace far={far} timers={timers} />
      </QueryClientProvider>
    );
    const { rerender } = render(page());
    await liveConfirm();
    for (let round = 0; round < 5; round += 1) rerender(page());
    await liveConfirm();
    expect(far.streams()).toBe(1);
    expect(far.requests.filter((request) => request.endsWith("/events")).length).toBeLessThanOrEqual(2);
  });

  it("CARD-40 closes its stream with the last card", async () => {
    const far = farSide();
    const { unmount } = put(far, 2);
    await liveConfirm();
    expect(far.streams()).toBe(1);
    unmount();
    expect(far.streams()).toBe(0);
  });

  it("CARD-41 keeps the credential out of the query cache", async () => {
    const far = farSide();
    const queryClient = new QueryClient();
    render(
      <QueryClientProvider client={queryClient}>
        <Slot far={far} timers={manualTimers()} token="very-secret" />
      </QueryClientProvider>,
    );
    await liveConfirm();
    const kept = queryClient.getQueryCache().getAll();
    expect(JSON.stringify(kept.map(({ queryKey, state }) => [queryKey, state.data]))).not.toContain(
      "very-secret",
    );
  });
});

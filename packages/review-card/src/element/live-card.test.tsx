import { waitFor } from "@testing-library/react";
import { afterEach, describe, expect, it } from "vitest";
import { cancelOrder, exampleTime } from "../example-cards.ts";
import { farSide } from "../far-side.ts";
import { manualTimers } from "../manual-timers.ts";
import { createLiveCard, type LiveCard } from "./live-card.ts";

const releases: (() => void)[] = [];
afterEach(() => {
  for (const release of releases.splice(0)) release();
});

function liveCard(far: ReturnType<typeof farSide>): {
  live: LiveCard;
  timers: ReturnType<typeof manualTimers>;
} {
  const timers = manualTimers();
  const follow = { timers, random: () => 1 };
  const live = createLiveCard({
    baseUrl: "https://a.example",
    credential: "t",
    fetch: far.fetch,
    timers,
    follow,
  });
  return { live, timers };
}

function hold(live: LiveCard): () => void {
  const release = live.retain();
  releases.push(release);
  return release;
}

/** What is already on its way arrives: a few turns of the queue, and no time of the clock. */
async function arrivals(): Promise<void> {
  for (let turn = 0; turn < 10; turn += 1) await new Promise((resolve) => setImmediate(resolve));
}

const readsOf = (far: ReturnType<typeof farSide>): number =>
  far.requests.filter((request) => request === "GET /v1/card").length;

describe("a live card", () => {
  it("EMBED-7 follows the stream, and reads only once while it runs", async () => {
    const far = farSide();
    const { live, timers } = liveCard(far);
    expect(far.requests).toEqual([]);
    hold(live);
    await waitFor(() =>
      expect(live.inputs()).toMatchObject({ card: cancelOrder(), fresh: true, online: true }),
    );
    await waitFor(() => expect(far.streams()).toBe(1));
    timers.advance(20_000);
    far.push("card", { card: cancelOrder({ seq: 2, state: "running" }), serverTime: exampleTime });
    await waitFor(() => expect(live.inputs().card?.state).toBe("running"));
    expect(readsOf(far)).toBe(1);
  });

  it("EMBED-7 reads every five seconds without a stream", async () => {
    const far = farSide();
    far.streaming = false;
    const { live, timers } = liveCard(far);
    hold(live);
    await waitFor(() => expect(live.inputs().fresh).toBe(true));
    await arrivals();
    timers.advance(4999);
    await arrivals();
    expect(readsOf(far)).toBe(1);
    timers.advance(1);
    await arrivals();
    expect(readsOf(far)).toBe(2);
  });

  it("EMBED-7 comes back more slowly after each failure, and at once when the customer does", async () => {
    const far = farSide();
    far.streaming = false;
    far.readStatus = 0;
    const { live, timers } = liveCard(far);
    hold(live);
    await waitFor(() => expect(live.inputs().online).toBe(false));
    for (const [index, wait] of [1000, 2000, 4000, 8000, 15_000, 15_000].entries()) {
      await arrivals();
      timers.advance(wait - 1);
      await arrivals();
      expect(readsOf(far)).toBe(index + 1);
      timers.advance(1);
      await arrivals();
      expect(readsOf(far)).toBe(index + 2);
    }
    far.readStatus = 200;
    window.dispatchEvent(new Event("online"));
    await waitFor(() =>
      expect(live.inputs()).toMatchObject({ card: cancelOrder(), online: true, fresh: true }),
    );
  });

  it("EMBED-5 runs nothing once the last holder let go", async () => {
    const far = farSide();
    const { live, timers } = liveCard(far);
    const first = hold(live);
    const second = hold(live);
    await waitFor(() => expect(far.streams()).toBe(1));
    first();
    first();
    expect(far.streams()).toBe(1);
    second();
    await waitFor(() => expect(far.streams()).toBe(0));
    const asked = far.requests.length;
    timers.advance(60_000);
    window.dispatchEvent(new Event("online"));
    document.dispatchEvent(new Event("visibilitychange"));
    await arrivals();
    expect(far.requests).toHaveLength(asked);
    expect(live.inputs().fresh).toBe(false);
  });

  it("EMBED-7 asks nothing more when the session has ended", async () => {
    const far = farSide();
    far.streaming = false;
    far.readStatus = 401;
    const { live, timers } = liveCard(far);
    hold(live);
    await waitFor(() => expect(live.inputs()).toMatchObject({ card: null, ended: "signed_out" }));
    const asked = far.requests.length;
    timers.advance(60_000);
    await arrivals();
    expect(far.requests).toHaveLength(asked);
  });
});

import { describe, expect, test } from "vitest";
import { brokenChannels } from "./broken-channels.ts";
import { channelContract } from "./channel-contract.ts";
import { paperChannel } from "./paper-channel.ts";

async function failedCases(
  open: () => ReturnType<typeof paperChannel> | ReturnType<(typeof brokenChannels)[0]["open"]>,
) {
  const failed: string[] = [];
  for (const promise of channelContract) await promise.run(open()).catch(() => failed.push(promise.name));
  return failed;
}

describe("the channel contract finds the channel that", () => {
  for (const { name, fails, open } of brokenChannels) {
    test(`CHAN-20 ${name}`, async () => {
      expect(await failedCases(open)).toContain(fails);
    });
  }
});

test("CHAN-20 the channel on paper keeps the channel contract", async () => {
  expect(await failedCases(paperChannel)).toEqual([]);
});

test("CHAN-20 no two cases of the channel contract have the same name", () => {
  const names = channelContract.map((promise) => promise.name);
  expect(names).toEqual([...new Set(names)]);
});

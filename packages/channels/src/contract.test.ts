import { channelContract } from "@countersign/core/testing";
import { describe, test } from "vitest";
import { channels } from "./fixtures.ts";

for (const [name, open] of channels) {
  describe(name, () => {
    for (const promise of channelContract) {
      test(promise.name, async () => {
        const subject = await open();
        try {
          await promise.run(subject);
        } finally {
          await subject.far.close();
        }
      });
    }
  });
}

import { afterEach, expect, test, vi } from "vitest";
import { memoryStore } from "../memory/store.ts";
import { env } from "./config.ts";
import { createEngine } from "./create.ts";

afterEach(() => vi.unstubAllEnvs());

test("CLI-10 a variable that is set is read as it is", () => {
  vi.stubEnv("COUNTERSIGN_TEST_VARIABLE", "value with spaces ");
  expect(env("COUNTERSIGN_TEST_VARIABLE")).toBe("value with spaces ");
});

test.each([undefined, ""])(
  "CLI-9 a variable that is %j stops the start and is named with what to do",
  (value) => {
    vi.stubEnv("COUNTERSIGN_TEST_VARIABLE", value);
    expect(() => env("COUNTERSIGN_TEST_VARIABLE")).toThrowError(
      expect.objectContaining({
        name: "ConfigurationError",
        message:
          "the environment variable COUNTERSIGN_TEST_VARIABLE is not set: export it, or write COUNTERSIGN_TEST_VARIABLE=… into the .env file next to the configuration",
      }),
    );
  },
);

test.each([
  [
    { defaultLocale: "en_GB!" },
    'defaultLocale: "en_GB!" is not a BCP 47 language tag; write one such as "en-GB"',
  ],
  [{ defaultLocale: 5 as never }, 'defaultLocale: 5 is not a BCP 47 language tag; write one such as "en-GB"'],
  [
    { defaultTimeZone: "Mars/Olympus" },
    'defaultTimeZone: "Mars/Olympus" is not an IANA time zone; write one such as "Europe/Madrid"',
  ],
])("CLI-9 a default that no card could be shown in stops the start: %j", (options, message) => {
  expect(() => createEngine({ tools: [], store: memoryStore(), ...options })).toThrowError(
    expect.objectContaining({ name: "ConfigurationError", message }),
  );
});

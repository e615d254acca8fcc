import { afterEach, expect, test, vi } from "vitest";
import { env } from "./config.ts";

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

/** Faults in the log: one line, with the cause. */
import { expect, it } from "vitest";

import { describeFault } from "../../src/core/describe-fault.ts";

it.each([
  [new TypeError("no such table"), "TypeError: no such table"],
  [new Error("failed", { cause: new RangeError("too long") }), "Error: failed (RangeError: too long)"],
  [new Error("failed", { cause: "a text" }), "Error: failed"],
  ["a text", "a text"],
  [undefined, "undefined"],
])("describes %o as %s", (fault, line) => {
  expect(describeFault(fault)).toBe(line);
});

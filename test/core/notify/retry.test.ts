import * as fc from "fast-check";
import { describe, expect, it } from "vitest";

import { type DestinationKind, DESTINATION_KINDS } from "../../../src/core/notify/model.ts";
import { retryStep, type SendResult } from "../../../src/core/notify/retry.ts";

const NOW = Date.UTC(2026, 10, 12, 9);
const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

const status = (code: number, retryAfter: string | null = null): SendResult => ({ status: code, retryAfter });

function step(
  result: SendResult,
  given: { kind?: DestinationKind; failures?: number; since?: number | null; jitter?: number } = {},
) {
  const { kind = "webhook", failures = 0, since = null, jitter = 0 } = given;
  return retryStep({ kind, failingSince: since }, failures, result, { now: NOW, jitter });
}
const waitOf = (...args: Parameters<typeof step>) => Number(step(...args).nextAttemptAt) - NOW;

describe("§23 the step after an attempt", () => {
  it.each([200, 201, 202, 204, 299])("a status of %s delivers", (code) => {
    expect(step(status(code), { failures: 8, since: NOW - 9 * DAY })).toEqual({
      outcome: "delivered",
      nextAttemptAt: null,
      disabledReason: null,
    });
  });

  it("waits 5 s, 5 min, 30 min, 2, 5, 10, 14, 20 and 24 h, then gives up", () => {
    const waits = Array.from({ length: 9 }, (_, failures) => waitOf(status(500), { failures }));
    expect(waits).toEqual([5_000, 5 * MINUTE, 30 * MINUTE, ...[2, 5, 10, 14, 20, 24].map((hours) => hours * HOUR)]);
    expect(step(status(500), { failures: 9 })).toEqual({
      outcome: "refused",
      nextAttemptAt: null,
      disabledReason: null,
    });
  });

  it("adds at most a fifth as jitter", () => {
    expect(waitOf(status(500), { jitter: 0.5 })).toBe(5_500);
    expect(waitOf(status(500), { failures: 1, jitter: 1 })).toBe(6 * MINUTE);
  });

  it.each([301, 302, 307, 308, 400, 401, 404, 429, 500, 503])("a status of %s is refused, and tried again", (code) => {
    expect(step(status(code))).toEqual({ outcome: "refused", nextAttemptAt: NOW + 5_000, disabledReason: null });
  });

  it.each(["timed_out", "unreachable"] as const)("a fault (%s) is tried again", (fault) => {
    expect(step({ status: null, fault })).toMatchObject({ outcome: fault, nextAttemptAt: NOW + 5_000 });
  });

  it("410 disables, and so does 404 of Slack only", () => {
    for (const kind of DESTINATION_KINDS) {
      expect(step(status(410), { kind })).toEqual({ outcome: "refused", nextAttemptAt: null, disabledReason: "gone" });
      expect(step(status(404), { kind }).disabledReason).toBe(kind === "slack" ? "gone" : null);
    }
  });

  it("three days of nothing but failures disable", () => {
    expect(step(status(500), { since: NOW - 3 * DAY })).toMatchObject({
      disabledReason: "failing",
      nextAttemptAt: null,
    });
    expect(step(status(500), { since: NOW - 3 * DAY + 1 })).toMatchObject({ disabledReason: null });
  });

  it.each([
    ["120", 120_000],
    [" 120 ", 120_000],
    ["0", 5_000],
    ["1", 5_000],
    ["Thu, 12 Nov 2026 10:00:00 GMT", HOUR],
    ["Thu, 12 Nov 2026 08:00:00 GMT", 5_000],
    ["Thu, 99 Nov 2026 08:00:00 GMT", 5_000],
    ["-5", 5_000],
    ["1e9", 5_000],
    ["soon", 5_000],
    ["", 5_000],
    ["99999999999999999999999999", 3 * DAY],
    ["Fri, 12 Nov 2099 10:00:00 GMT", 3 * DAY],
  ])("Retry-After: %s", (retryAfter, wait) => {
    expect(waitOf(status(429, retryAfter))).toBe(wait);
  });

  it("never returns before Retry-After nor before its wait, and always ends", () => {
    const given = fc.record({
      kind: fc.constantFrom(...DESTINATION_KINDS),
      failures: fc.nat(12),
      since: fc.option(fc.nat(10 * DAY).map((ms) => NOW - ms)),
      jitter: fc.double({ min: 0, max: 1, noNaN: true }),
    });
    fc.assert(
      fc.property(given, fc.integer({ min: 100, max: 599 }), fc.nat(100_000), (fields, code, seconds) => {
        const { nextAttemptAt, outcome } = step(status(code, String(seconds)), fields);
        expect(outcome).toBe(code >= 200 && code < 300 ? "delivered" : "refused");
        if (nextAttemptAt === null) return;
        expect(Number.isInteger(nextAttemptAt)).toBe(true);
        expect(nextAttemptAt).toBeGreaterThanOrEqual(NOW + Math.max(5_000, seconds * 1_000));
        expect(fields.failures).toBeLessThan(9);
      }),
    );
  });
});

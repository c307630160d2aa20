import * as fc from "fast-check";
import { describe, expect, it } from "vitest";

import { readIsoTime } from "../../../src/core/ingest/iso-time.ts";
import type { JsonObject } from "../../../src/core/json.ts";
import { notInFuture, occurredAt } from "../../../src/core/ingest/times.ts";
import { at, RECEIVED_AT } from "./support.ts";

const HOUR = 3_600_000;
/** Milliseconds from the time of receipt. */
const time = (message: JsonObject, batchSentAt: string | null = null): number | null => {
  const ms = occurredAt(message, RECEIVED_AT, readIsoTime(batchSentAt, true), {});
  return ms === null ? null : ms - RECEIVED_AT;
};

describe("the time of a message", () => {
  it("§4.2 time: without any time it is the time of receipt", () => expect(time({})).toBe(0));
  it("§4.2 time: without sentAt it is timestamp", () => expect(time({ timestamp: at(-HOUR) })).toBe(-HOUR));
  it("§4.2 time: a time without an offset is read as UTC", () => {
    expect(time({ timestamp: "2026-01-31T11:00:00" })).toBe(-HOUR);
    expect(time({ timestamp: "2026-01-31" })).toBe(-12 * HOUR);
    expect(time({ originalTimestamp: "2026-01-31T09:00:00", sentAt: "2026-01-31T11:00:00" })).toBe(-2 * HOUR);
  });
  it("§4.2 time: without sentAt and timestamp it is the time of receipt, whatever originalTimestamp", () => {
    expect(time({ originalTimestamp: at(-HOUR) })).toBe(0);
  });
  it("§4.2 time: with sentAt the age at sending is taken off the time of receipt", () => {
    // The sender's clock is 2 h fast; made 1 h before sending.
    expect(time({ originalTimestamp: at(HOUR), sentAt: at(2 * HOUR) })).toBe(-HOUR);
    // 3 h slow.
    expect(time({ originalTimestamp: at(-4 * HOUR), sentAt: at(-3 * HOUR) })).toBe(-HOUR);
  });
  it("§4.2 time: originalTimestamp goes before timestamp, and falls back to it", () => {
    const sentAt = at(-2 * HOUR);
    expect(time({ originalTimestamp: at(-3 * HOUR), timestamp: at(-9 * HOUR), sentAt })).toBe(-HOUR);
    expect(time({ timestamp: at(-3 * HOUR), sentAt })).toBe(-HOUR);
  });
  it("§4.2 time: with sentAt alone it is the time of receipt", () => expect(time({ sentAt: at(-HOUR) })).toBe(0));
  it("§4.2 time: the batch's sentAt serves messages without their own", () => {
    expect(time({ timestamp: at(HOUR) }, at(2 * HOUR))).toBe(-HOUR);
    expect(time({ timestamp: at(HOUR), sentAt: null }, at(2 * HOUR))).toBe(-HOUR);
  });
  it("§4.2 time: a message's own sentAt goes before the batch's", () => {
    expect(time({ timestamp: at(HOUR), sentAt: at(4 * HOUR) }, at(2 * HOUR))).toBe(-3 * HOUR);
  });
  it("§4.2 time: a correction below 5 s is not applied, one of 5 s is", () => {
    expect(time({ timestamp: at(-HOUR), sentAt: at(-4_999) })).toBe(-HOUR);
    expect(time({ timestamp: at(-HOUR), sentAt: at(4_999) })).toBe(-HOUR);
    expect(time({ timestamp: at(-HOUR), sentAt: at(-5_000) })).toBe(-HOUR + 5_000);
    expect(time({ timestamp: at(-HOUR), sentAt: at(5_000) })).toBe(-HOUR - 5_000);
  });
  it("§4.2 time: a correction that is not applied leaves originalTimestamp", () => {
    expect(time({ originalTimestamp: at(-2_000), timestamp: at(-HOUR), sentAt: at(-1_000) })).toBe(-2_000);
  });
  it("§4.2 time: a message with receivedAt was corrected already: its timestamp stands", () => {
    const message = { timestamp: at(-HOUR), originalTimestamp: at(-9 * HOUR), sentAt: at(-8 * HOUR) };
    expect(time({ ...message, receivedAt: at(-HOUR / 2) }, at(-7 * HOUR))).toBe(-HOUR);
    expect(time({ ...message, receivedAt: null })).toBe(-HOUR);
    expect(time({ sentAt: at(-HOUR), originalTimestamp: at(-2 * HOUR), receivedAt: at(0) })).toBe(0);
  });
  it.each(["junk", 1769850000000, {}, true])("§4.2 time: the unreadable sentAt %j is ignored", (sentAt) => {
    expect(time({ timestamp: at(-HOUR), sentAt })).toBe(-HOUR);
    expect(time({ timestamp: at(HOUR), sentAt }, at(2 * HOUR))).toBe(-HOUR);
  });
  it.each(["junk", 1769850000000, {}])("§4.2 time: the unreadable originalTimestamp %j is ignored", (junk) => {
    expect(time({ timestamp: at(-3 * HOUR), originalTimestamp: junk, sentAt: at(-2 * HOUR) })).toBe(-HOUR);
    expect(time({ originalTimestamp: junk, sentAt: at(-2 * HOUR) })).toBe(0);
  });
  it.each(["junk", "", 1769850000000, {}, [], false])(
    "§4.2 time: the unreadable timestamp %j is invalid",
    (timestamp) => {
      expect(time({ timestamp })).toBeNull();
      expect(time({ timestamp, originalTimestamp: at(0), sentAt: at(0) })).toBeNull();
      expect(time({ timestamp, receivedAt: at(0) })).toBeNull();
    },
  );
  it("§4.2 time: null is absent", () => {
    expect(time({ timestamp: null, originalTimestamp: null, sentAt: null })).toBe(0);
  });
  it("§4.2 time: more than 5 minutes in the future becomes the time of receipt, 5 minutes stand", () => {
    expect(time({ timestamp: at(300_000) })).toBe(300_000);
    expect(time({ timestamp: at(300_001) })).toBe(0);
    expect(time({ timestamp: at(300_001), receivedAt: at(0) })).toBe(0);
    expect(time({ timestamp: at(HOUR), sentAt: at(0) })).toBe(0);
    expect(time({ timestamp: at(0), sentAt: at(-HOUR) })).toBe(0);
  });
  it("§4.2 time: a nonsense sentAt can't push a message out of the calendar", () => {
    expect(time({ timestamp: "2026-01-01T00:00:00Z", sentAt: "9999-12-31T00:00:00Z" })).toBe(0);
    expect(notInFuture(-62_167_219_200_001, RECEIVED_AT, {})).toBe(RECEIVED_AT);
    expect(notInFuture(-62_167_219_200_000, RECEIVED_AT, {})).toBe(-62_167_219_200_000);
  });
  it("§4.2 time: whatever the clocks say, nothing is more than 5 minutes in the future", () => {
    const anyTime = fc.option(
      fc.oneof(
        fc.date({ noInvalidDate: true }).map((date) => date.toISOString()),
        fc.constantFrom("x", 1, at(0)),
      ),
    );
    fc.assert(
      fc.property(
        fc.record({ timestamp: anyTime, sentAt: anyTime, originalTimestamp: anyTime, receivedAt: anyTime }),
        (message) => {
          expect(time(message) ?? 0).toBeLessThanOrEqual(300_000);
        },
      ),
      { numRuns: 2_000 },
    );
  });
});

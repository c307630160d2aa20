import * as fc from "fast-check";
import { describe, expect, it } from "vitest";

import type { Mapping } from "../../../src/core/ingest/message.ts";
import { notInFuture } from "../../../src/core/ingest/occurred-at.ts";
import { accept, at, RECEIVED_AT, reject } from "./support.ts";

const HOUR = 3_600_000;
const track = { type: "track", userId: "u", event: "e" };

/** The time of a message in milliseconds from its receipt, and how it was found. */
const time = (times: object, batchSentAt: number | null = null): [number, Mapping] => {
  const { occurredAt, mapping } = accept({ ...track, ...times }, { batchSentAt });
  return [occurredAt - RECEIVED_AT, mapping];
};

const timeField = "timestamp";
const original = "originalTimestamp";

describe("the time of a message", () => {
  it.each<[string, object, number, Mapping]>([
    ["the time of receipt without any time", {}, 0, {}],
    ["the time of receipt with sentAt alone", { sentAt: at(-HOUR) }, 0, {}],
    ["the time of receipt with originalTimestamp alone", { originalTimestamp: at(-HOUR) }, 0, {}],
    ["the time of receipt if all are null", { timestamp: null, originalTimestamp: null, sentAt: null }, 0, {}],
    ["timestamp without sentAt", { timestamp: at(-HOUR) }, -HOUR, { timeField }],
    ["in UTC without an offset", { timestamp: "2026-01-31T11:00:00" }, -HOUR, { timeField }],
    [
      "corrected for a fast clock",
      { timestamp: at(HOUR), sentAt: at(2 * HOUR) },
      -HOUR,
      { timeField, clockSlowMs: -2 * HOUR },
    ],
    [
      "corrected for a slow clock",
      { originalTimestamp: at(-4 * HOUR), timestamp: at(-9 * HOUR), sentAt: at(-3 * HOUR) },
      -HOUR,
      { timeField: original, clockSlowMs: 3 * HOUR },
    ],
    [
      "corrected by 5 s",
      { timestamp: at(-HOUR), sentAt: at(-5_000) },
      -HOUR + 5_000,
      { timeField, clockSlowMs: 5_000 },
    ],
    [
      "corrected by -5 s",
      { timestamp: at(-HOUR), sentAt: at(5_000) },
      -HOUR - 5_000,
      { timeField, clockSlowMs: -5_000 },
    ],
    ["not corrected by less than 5 s", { timestamp: at(-HOUR), sentAt: at(-4_999) }, -HOUR, { timeField }],
    [
      "originalTimestamp, even if it is not corrected",
      { originalTimestamp: at(-HOUR), timestamp: at(0), sentAt: at(4_999) },
      -HOUR,
      { timeField: original },
    ],
    [
      "timestamp if a CDP has already corrected it",
      { timestamp: at(-HOUR), originalTimestamp: at(-9 * HOUR), sentAt: at(-8 * HOUR), receivedAt: at(-HOUR / 2) },
      -HOUR,
      { timeField },
    ],
    ["5 minutes in the future at most", { timestamp: at(300_000) }, 300_000, { timeField }],
    ["the time of receipt if it is later", { timestamp: at(300_001) }, 0, { timeField, replaced: "future" }],
    [
      "the time of receipt if it is in the future once corrected",
      { timestamp: at(0), sentAt: at(-HOUR) },
      0,
      { timeField, clockSlowMs: HOUR, replaced: "future" },
    ],
    [
      "the time of receipt if an absurd sentAt moves it before the year 0",
      { timestamp: "0001-01-01T00:00:00Z", sentAt: "9999-12-31T00:00:00Z" },
      0,
      { timeField, clockSlowMs: RECEIVED_AT - Date.UTC(9_999, 11, 31), replaced: "past" },
    ],
  ])("§4.2 is %s", (_, times, ms, mapping) => expect(time(times)).toEqual([ms, mapping]));

  it("§4.2 uses the batch's sentAt only if the message has no readable one", () => {
    expect(time({ timestamp: at(HOUR) }, RECEIVED_AT + 2 * HOUR)[0]).toBe(-HOUR);
    expect(time({ timestamp: at(HOUR), sentAt: "junk" }, RECEIVED_AT + 2 * HOUR)[0]).toBe(-HOUR);
    expect(time({ timestamp: at(HOUR), sentAt: at(4 * HOUR) }, RECEIVED_AT + 2 * HOUR)[0]).toBe(-3 * HOUR);
    expect(time({ timestamp: at(-HOUR), receivedAt: at(0) }, RECEIVED_AT + 2 * HOUR)[0]).toBe(-HOUR);
  });
  it.each(["junk", 1769850000000, {}])("§4.2 ignores %j in sentAt and originalTimestamp", (junk) => {
    expect(time({ timestamp: at(-HOUR), sentAt: junk })[0]).toBe(-HOUR);
    expect(time({ timestamp: at(-3 * HOUR), originalTimestamp: junk, sentAt: at(-2 * HOUR) })[0]).toBe(-HOUR);
  });
  it.each(["junk", "", 1769850000000, {}, false])("§4.2 is invalid if timestamp is %j", (timestamp) => {
    for (const others of [{}, { originalTimestamp: at(0), sentAt: at(0) }, { receivedAt: at(0) }]) {
      expect(reject({ ...track, ...others, timestamp })).toMatchObject({ code: "invalid_message", path: "timestamp" });
    }
  });
  it("§4.2 may be any time since the year 0", () => {
    expect(notInFuture(-62_167_219_200_001, RECEIVED_AT, {})).toBe(RECEIVED_AT);
    expect(notInFuture(-62_167_219_200_000, RECEIVED_AT, {})).toBe(-62_167_219_200_000);
  });
  it("§4.2 is never more than 5 minutes in the future, and follows from its mapping", () => {
    const offset = fc.option(fc.integer({ min: -9 * HOUR, max: 9 * HOUR }));
    fc.assert(
      fc.property(offset, offset, offset, (timestamp, originalTimestamp, sentAt) => {
        const sent = { timestamp, originalTimestamp };
        const times = Object.entries({ ...sent, sentAt }).flatMap(([key, ms]) => (ms === null ? [] : [[key, at(ms)]]));
        const [ms, mapping] = time(Object.fromEntries(times));
        const isFound = mapping.timeField !== undefined && mapping.replaced === undefined;
        expect(ms).toBe(isFound ? (sent[mapping.timeField ?? timeField] ?? NaN) + (mapping.clockSlowMs ?? 0) : 0);
        expect(ms).toBeLessThanOrEqual(300_000);
      }),
      { numRuns: 1_000 },
    );
  });
});

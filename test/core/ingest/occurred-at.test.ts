import * as fc from "fast-check";
import { describe, expect, it } from "vitest";

import type { Mapping } from "../../../src/core/ingest/message.ts";
import { FIRST_TIME_MS } from "../../../src/core/ingest/iso-time.ts";
import { accept, at, mapBatch, RECEIVED_AT, reject } from "./support.ts";

const HOUR = 3_600_000;
const DAY = 24 * HOUR;
/** How programs write "unknown". */
const UNSET = [
  "0001-01-01T00:00:00Z",
  "0001-01-01T00:00:00+14:00",
  "0000-01-01T00:00:00+00:01",
  "-000001-12-31T00:00:00Z",
  "-0001-11-30T00:00:00+00:00",
  "-0001-11-30 00:00:00",
  "0000-00-00 00:00:00",
  "0000-00-00",
  "0000-00-00T00:00:00.000000Z",
  "0027-06-27T08:23:48+0300",
  "1601-01-01T00:00:00Z",
  "1970-01-01",
  "1970-01-01T05:30:00+05:30",
  "1999-12-31T23:59:59.999Z",
  "2000-01-01T00:30:00+01:00",
];
const track = { type: "track", userId: "u", event: "e" };

/** Returns the time of a message in milliseconds from its receipt, and how it was found. */
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
    ["originalTimestamp without timestamp", { originalTimestamp: at(-HOUR) }, -HOUR, { timeField: original }],
    [
      "originalTimestamp without timestamp, also of a message that a CDP has forwarded",
      { timestamp: null, originalTimestamp: at(-HOUR), sentAt: at(-HOUR / 2), receivedAt: at(-HOUR / 2) },
      -HOUR,
      { timeField: original },
    ],
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
      "the time of receipt if sentAt moves it before 2000",
      { timestamp: "2000-06-01T00:00:00Z", sentAt: at(390 * DAY) },
      0,
      { timeField, clockSlowMs: -390 * DAY, replaced: "past" },
    ],
    [
      "the time of receipt if it is after the year 9999",
      { timestamp: "9999-12-31T23:59:59.9999999-05:00" },
      0,
      { timeField, replaced: "future" },
    ],
    [
      "corrected for a clock of another calendar, whatever the zone",
      { timestamp: "2569-01-31T16:30:00", sentAt: "2569-01-31T17:30:00" },
      -HOUR,
      { timeField, clockSlowMs: RECEIVED_AT - Date.UTC(2_569, 0, 31, 17, 30) },
    ],
    [
      "corrected for a clock of another calendar by originalTimestamp",
      { originalTimestamp: "2569-01-31T10:00:00Z", timestamp: at(0), sentAt: "2569-01-31T12:00:00Z" },
      -2 * HOUR,
      { timeField: original, clockSlowMs: RECEIVED_AT - Date.UTC(2_569, 0, 31, 12) },
    ],
    [
      "not corrected by another calendar's sentAt",
      { timestamp: at(-3 * DAY), sentAt: "2569-01-31" },
      -3 * DAY,
      { timeField },
    ],
    [
      "timestamp if sentAt is ignored",
      { timestamp: at(-3 * DAY), originalTimestamp: at(-4 * DAY), sentAt: "2569-01-31" },
      -3 * DAY,
      { timeField },
    ],
    [
      "corrected by 400 days",
      { timestamp: at(-401 * DAY), sentAt: at(-400 * DAY) },
      -DAY,
      { timeField, clockSlowMs: 400 * DAY },
    ],
    ["not corrected by more", { timestamp: at(-402 * DAY), sentAt: at(-400 * DAY - 1) }, -402 * DAY, { timeField }],
    [
      "not corrected by more if it is in the future within the tolerance",
      { timestamp: at(60_000), sentAt: at(401 * DAY) },
      60_000,
      { timeField },
    ],
    [
      "the time of receipt if a correction by more doesn't help",
      { timestamp: at(9 * DAY), sentAt: at(-401 * DAY) },
      0,
      { timeField, replaced: "future" },
    ],
  ])("§4.2 is %s", (_, times, ms, mapping) => expect(time(times)).toEqual([ms, mapping]));

  it("§4.2 uses the batch's sentAt only if the message has no readable one", () => {
    expect(time({ timestamp: at(HOUR) }, RECEIVED_AT + 2 * HOUR)[0]).toBe(-HOUR);
    expect(time({ timestamp: at(HOUR), sentAt: "junk" }, RECEIVED_AT + 2 * HOUR)[0]).toBe(-HOUR);
    expect(time({ timestamp: at(HOUR), sentAt: at(4 * HOUR) }, RECEIVED_AT + 2 * HOUR)[0]).toBe(-3 * HOUR);
    expect(time({ timestamp: at(-HOUR), receivedAt: at(0) }, RECEIVED_AT + 2 * HOUR)[0]).toBe(-HOUR);
  });
  it.each(UNSET)("§4.2 is not %s, which counts as absent and is named", (unset) => {
    const late = { timestamp: at(-3 * DAY) };
    const both = { timestamp: unset, originalTimestamp: at(-3 * DAY) };
    const unsetField = timeField;
    expect(time({ timestamp: unset })).toEqual([0, { unsetField }]);
    expect(time({ timestamp: unset, sentAt: at(-HOUR) })).toEqual([0, { unsetField }]);
    expect(time(both)).toEqual([-3 * DAY, { timeField: original, unsetField }]);
    expect(time({ ...both, sentAt: at(HOUR) })[0]).toBe(-3 * DAY - HOUR);
    expect(time({ timestamp: unset, originalTimestamp: unset })).toEqual([0, { unsetField }]);
    expect(time({ originalTimestamp: unset })).toEqual([0, { unsetField: original }]);
    expect(time({ ...late, originalTimestamp: unset })).toEqual([-3 * DAY, { timeField, unsetField: original }]);
    expect(time({ ...late, originalTimestamp: unset, sentAt: at(HOUR) })[0]).toBe(-3 * DAY - HOUR);
    expect(time({ ...late, sentAt: unset })).toEqual([-3 * DAY, { timeField }]);
    expect(time({ ...late, sentAt: unset }, RECEIVED_AT + HOUR)[0]).toBe(-3 * DAY - HOUR);
    expect(time({ ...late, sentAt: at(HOUR), receivedAt: unset })[0]).toBe(-3 * DAY - HOUR);
    const batch = mapBatch({ batch: [{ ...track, ...late }], sentAt: unset });
    expect(batch.messages[0]?.occurredAt).toBe(RECEIVED_AT - 3 * DAY);
  });
  it.each(["2000-01-01T00:00:00Z", "1999-12-31T23:30:00-00:30", "+002000-01-01T00:00:00Z"])(
    "§4.2 may be %s, the first time",
    (timestamp) => {
      expect(accept({ ...track, timestamp })).toMatchObject({ occurredAt: FIRST_TIME_MS, mapping: { timeField } });
    },
  );
  it.each(["junk", "", 1769850000000, "٢٠٢٦-٠١-٣١T٠٩:٣٠:٠٠Z", "2026-00-00", {}])(
    "§4.2 is invalid if originalTimestamp is the time and is %j",
    (originalTimestamp) => {
      for (const others of [{}, { timestamp: null }, { timestamp: UNSET[0] }, { sentAt: at(0) }]) {
        const rejection = reject({ ...track, ...others, originalTimestamp });
        expect(rejection).toMatchObject({ code: "invalid_message", path: original, kept: { userId: "u" } });
      }
    },
  );
  it.each(["junk", "", 1769850000000, {}, false])(
    "§4.2 ignores %j in sentAt, originalTimestamp and receivedAt",
    (junk) => {
      expect(time({ timestamp: at(HOUR), sentAt: at(2 * HOUR), receivedAt: junk })[0]).toBe(-HOUR);
      expect(time({ timestamp: at(-HOUR), sentAt: junk })[0]).toBe(-HOUR);
      expect(time({ timestamp: at(-3 * HOUR), originalTimestamp: junk, sentAt: at(-2 * HOUR) })[0]).toBe(-HOUR);
    },
  );
  it.each(["junk", "", 1769850000000, {}, false])("§4.2 is invalid if timestamp is %j", (timestamp) => {
    for (const others of [{}, { originalTimestamp: at(0), sentAt: at(0) }, { receivedAt: at(0) }]) {
      expect(reject({ ...track, ...others, timestamp })).toMatchObject({ code: "invalid_message", path: "timestamp" });
    }
  });
  it("§4.2 is since 2000, never more than 5 minutes in the future, and follows from its mapping", () => {
    const near = fc.integer({ min: -9 * HOUR, max: 9 * HOUR });
    const far = fc.integer({ min: -9_000 * DAY, max: 300_000 * DAY });
    const offset = fc.option(fc.oneof(near, far, fc.constant(-30_000 * DAY)));
    fc.assert(
      fc.property(offset, offset, offset, (timestamp, originalTimestamp, sentAt) => {
        const sent = { timestamp, originalTimestamp };
        const times = Object.entries({ ...sent, sentAt }).flatMap(([key, ms]) => (ms === null ? [] : [[key, at(ms)]]));
        const [ms, mapping] = time(Object.fromEntries(times));
        const isFound = mapping.timeField !== undefined && mapping.replaced === undefined;
        expect(ms).toBe(isFound ? (sent[mapping.timeField ?? timeField] ?? NaN) + (mapping.clockSlowMs ?? 0) : 0);
        expect(ms).toBeLessThanOrEqual(300_000);
        expect(RECEIVED_AT + ms).toBeGreaterThanOrEqual(FIRST_TIME_MS);
      }),
      { numRuns: 1_000 },
    );
  });
});

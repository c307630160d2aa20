import * as fc from "fast-check";
import { describe, expect, it } from "vitest";

import { readIsoTime } from "../../../src/core/ingest/iso-time.ts";

const strict = (text: unknown): string | null => iso(readIsoTime(text, false));
const lenient = (text: unknown): string | null => iso(readIsoTime(text, true));
const iso = (ms: number | null): string | null => (ms === null ? null : new Date(ms).toISOString());

describe("ISO 8601 times", () => {
  it.each([
    ["2026-01-31T09:30:00Z", "2026-01-31T09:30:00.000Z"],
    ["2026-01-31T09:30Z", "2026-01-31T09:30:00.000Z"],
    ["2026-01-31t09:30:00z", "2026-01-31T09:30:00.000Z"],
    ["2026-01-31T09:30:00,25Z", "2026-01-31T09:30:00.250Z"],
    ["2026-01-31T09:30:00.123456789012Z", "2026-01-31T09:30:00.123Z"],
    ["2026-01-31T09:30:00+0200", "2026-01-31T07:30:00.000Z"],
    ["2026-01-31T09:30:00+02", "2026-01-31T07:30:00.000Z"],
    ["2026-01-31T09:30:00-03:30", "2026-01-31T13:00:00.000Z"],
    ["2026-12-31T23:59:59.999-00:01", "2027-01-01T00:00:59.999Z"],
    ["2024-02-29T00:00:00Z", "2024-02-29T00:00:00.000Z"],
    ["2016-12-31T23:59:60Z", "2016-12-31T23:59:59.000Z"],
    ["2015-06-30t23:59:60.5+00:00", "2015-06-30T23:59:59.500Z"],
    ["0000-01-01T00:00:00Z", "0000-01-01T00:00:00.000Z"],
    ["9999-12-31T23:59:59.999Z", "9999-12-31T23:59:59.999Z"],
  ])("§3 reads %s as %s", (text, time) => {
    expect(strict(text)).toBe(time);
    expect(lenient(text)).toBe(time);
  });
  it.each([
    "2026-02-29T00:00:00Z",
    "2026-02-29T00:00Z",
    "1900-02-29T00:00:00Z",
    "2026-04-31T00:00:00Z",
    "2026-13-01T00:00:00Z",
    "2026-01-00T00:00:00Z",
    "2026-01-31T24:00:00Z",
    "2026-01-31T23:59:60Z",
    "2016-12-31T23:58:60Z",
    "2016-12-31T23:59:61Z",
    "2026-01-31T23:59:59+24:00",
    "2026-01-31T23:59:59+0260",
    "0000-01-01T00:00:00+00:01",
    "9999-12-31T23:59:59-00:01",
    "2026-01-31T09Z",
    "2026-01-31T09:30:00.Z",
    "2026-1-31T09:30:00Z",
    " 2026-01-31T09:30:00Z",
    "2026-01-31T09:30:00Z\n",
    "2026-01-31Z",
    "1769850000",
    "",
    1769850000000,
    null,
    ["2026-01-31T09:30:00Z"],
  ])("§3 refuses %j", (value) => {
    expect(strict(value)).toBeNull();
    expect(lenient(value)).toBeNull();
  });
  it.each([
    ["2026-01-31", "2026-01-31T00:00:00.000Z"],
    ["2026-01-31T09:30", "2026-01-31T09:30:00.000Z"],
    ["2026-01-31T09:30:00.5", "2026-01-31T09:30:00.500Z"],
    ["2026-01-31 09:30:00", "2026-01-31T09:30:00.000Z"],
    ["2026-01-31 09:30:00+00:00", "2026-01-31T09:30:00.000Z"],
  ])("§4.2 reads %j as UTC, but only in compatibility messages", (text, time) => {
    expect(lenient(text)).toBe(time);
    expect(strict(text)).toBeNull();
  });
  it("reads every time that toISOString writes", () => {
    const date = fc.date({ min: new Date("0000-01-01"), max: new Date("9999-12-31"), noInvalidDate: true });
    fc.assert(
      fc.property(date, (written) => {
        expect(strict(written.toISOString())).toBe(written.toISOString());
      }),
    );
  });
});

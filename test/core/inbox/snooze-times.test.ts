import { expect, it } from "vitest";

import { snoozedUntil } from "../../../src/core/inbox/snooze-times.ts";

const at = (time: string) => Date.parse(time);

it.each([
  // A Saturday in London, and still a Friday in New York.
  ["tomorrow", "Europe/London", "2026-11-28T03:00:00Z", "2026-11-29T09:00:00Z"],
  ["tomorrow", "America/New_York", "2026-11-28T03:00:00Z", "2026-11-28T14:00:00Z"],
  ["monday", "Europe/London", "2026-11-28T03:00:00Z", "2026-11-30T09:00:00Z"],
  // On a Monday it is the next one.
  ["monday", "UTC", "2026-11-30T00:00:00Z", "2026-12-07T09:00:00Z"],
  // The clocks change on 28 March 2027.
  ["2027-03-28", "Europe/Berlin", "2027-03-27T12:00:00Z", "2027-03-28T07:00:00Z"],
  ["2027-03-27", "Europe/Berlin", "2027-03-26T12:00:00Z", "2027-03-27T08:00:00Z"],
  ["2026-12-01", "Pacific/Kiritimati", "2026-11-28T03:00:00Z", "2026-11-30T19:00:00Z"],
])("§14 %s is nine o'clock in %s", (choice, timezone, now, until) => {
  expect(snoozedUntil(choice, timezone, at(now))).toBe(at(until));
});

it.each(["2026-11-28", "2026-11-27", "2027-12-01", "2026-13-01", "2026-1-1", "", "friday"])(
  "§14 %s is no time",
  (choice) => {
    expect(snoozedUntil(choice, "UTC", at("2026-11-28T03:00:00Z"))).toBeNull();
  },
);

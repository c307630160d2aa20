import { describe, expect, it } from "vitest";

import { isSenderDoubtful, outagesOf, senderSilence } from "../../../src/core/health/days-off.ts";
import type { Day } from "../../../src/core/health/model.ts";
import { daysBetween, MONDAY, weekdaysBetween } from "./support.ts";

/** Active on every weekday, so two business days without an event are unusual. */
const before = weekdaysBetween(MONDAY - 91, MONDAY - 3);

describe("the sender's silence", () => {
  it("§11.11 a daily workspace is out on the second business day", () => {
    expect(senderSilence(before, MONDAY - 1, [])).toBeNull();
    expect(senderSilence(before, MONDAY, [])).toBeNull();
    expect(senderSilence(before, MONDAY + 1, [])).toEqual({ lastDay: MONDAY - 3, gap: 2, threshold: 2 });
  });
  it("§11.11 a workspace with pauses gets twice its longest pause, at most 10 business days", () => {
    const pausing = before.filter((day) => day < MONDAY - 35 || day >= MONDAY - 31);
    expect(senderSilence(pausing, MONDAY + 8, [])).toBeNull();
    expect(senderSilence(pausing, MONDAY + 9, [])).toMatchObject({ gap: 8, threshold: 8 });
    expect(senderSilence([MONDAY - 84, MONDAY - 3], MONDAY + 10, [])).toBeNull();
    expect(senderSilence([MONDAY - 84, MONDAY - 3], MONDAY + 11, [])).toMatchObject({ gap: 10, threshold: 10 });
  });
  it("§11.11 an earlier outage is not part of the habit", () => {
    const resumed = before.filter((day) => day < MONDAY - 35 || day >= MONDAY - 31);
    const outage: [number, number] = [MONDAY - 37, MONDAY - 32];
    expect(senderSilence(resumed, MONDAY + 1, [])).toBeNull();
    expect(senderSilence(resumed, MONDAY + 1, [outage])).toMatchObject({ threshold: 2 });
  });
  it("§11.11 a sender without an event yet is not out", () => {
    expect(senderSilence([], MONDAY, [])).toBeNull();
    expect(senderSilence([MONDAY + 1], MONDAY, [])).toBeNull();
  });
});

describe("a doubtful sender", () => {
  const daily = weekdaysBetween(MONDAY - 60, MONDAY);
  const missing = (...days: Day[]) => daily.filter((day) => !days.includes(day));
  const seldom = daily.filter((day) => day % 7 === MONDAY % 7);

  it("§11.11 a daily sender is in doubt on its first weekday without events", () => {
    expect(isSenderDoubtful(daily, MONDAY, [])).toBe(false);
    expect(isSenderDoubtful(daily, MONDAY + 1, [])).toBe(true);
    expect(isSenderDoubtful(weekdaysBetween(MONDAY - 60, MONDAY + 4), MONDAY + 6, [])).toBe(false);
    expect(isSenderDoubtful([...daily, MONDAY + 2], MONDAY + 2, [[MONDAY + 1, MONDAY + 1]])).toBe(false);
  });
  it("§11.11 other senders are not in doubt", () => {
    expect(senderSilence(seldom, MONDAY + 14, [])).toMatchObject({ gap: 10, threshold: 10 });
    expect(isSenderDoubtful(seldom, MONDAY + 11, [])).toBe(false);
    // Its longest gap is a day, or two.
    expect(isSenderDoubtful(missing(MONDAY - 13), MONDAY + 1, [])).toBe(true);
    expect(isSenderDoubtful(missing(MONDAY - 13, MONDAY - 12), MONDAY + 1, [])).toBe(false);
  });
});

describe("the sender's outages", () => {
  const days = [...before, ...weekdaysBetween(MONDAY + 3, MONDAY + 30)];
  const outage = [MONDAY - 2, MONDAY + 2];

  it("§11.11 include the days before detection, once events arrive again", () => {
    expect(outagesOf(days, MONDAY + 2, null)).toEqual([]);
    expect(outagesOf(days, MONDAY + 3, null)).toEqual([outage]);
  });
  it("§11.11 do not include ordinary gaps", () => {
    expect(outagesOf([...before, ...weekdaysBetween(MONDAY + 1, MONDAY + 9)], MONDAY + 9, null)).toEqual([]);
  });
  it("§11.11 include those of the previous context", () => {
    const known: [number, number][] = [
      [MONDAY - 500, MONDAY - 490],
      [MONDAY - 2, MONDAY + 2],
    ];
    const context = { day: MONDAY + 5, outages: known, silence: null };
    expect(outagesOf(days, MONDAY + 9, context)).toEqual(known.slice(1));
    const again = days.filter((day) => day < MONDAY + 14 || day > MONDAY + 18);
    expect(outagesOf(again, MONDAY + 21, context)).toEqual([...known.slice(1), [MONDAY + 12, MONDAY + 20]]);
  });
  it("§11.11 end when events arrive after the previous context", () => {
    const running = senderSilence(days, MONDAY + 2, []);
    expect(running).not.toBeNull();
    expect(outagesOf(days, MONDAY + 4, { day: MONDAY + 2, outages: [], silence: running })).toEqual([outage]);
  });
  it("§11.11 are shortened by late events", () => {
    const running = { lastDay: MONDAY - 3, gap: 7, threshold: 2 };
    const late = [...before, MONDAY + 2, ...weekdaysBetween(MONDAY + 9, MONDAY + 30)];
    expect(outagesOf(late, MONDAY + 9, { day: MONDAY + 8, outages: [], silence: running })).toEqual([
      [MONDAY - 2, MONDAY + 1],
      [MONDAY + 3, MONDAY + 8],
    ]);
  });
  it("§11.11 never overlap, even if days were erased", () => {
    const known: [number, number] = [MONDAY - 10, MONDAY - 6];
    const context = { day: MONDAY - 1, outages: [known], silence: null };
    const erased = before.filter((day) => day < MONDAY - 14);
    expect(outagesOf([...erased, MONDAY + 7], MONDAY + 7, context)).toEqual([known, [MONDAY - 5, MONDAY + 6]]);
  });
  it("§11.11 are kept for 400 days", () => {
    expect(outagesOf(days, MONDAY + 401, null).slice(0, 1)).toEqual([outage]);
    expect(outagesOf(days, MONDAY + 402, null)).toEqual([]);
  });
  it("§11.11 are the same day by day as all at once", () => {
    const gaps = days.filter((day) => day % 40 > 7);
    let previous = null;
    for (const day of daysBetween(MONDAY - 91, MONDAY + 30)) {
      const outages = outagesOf(gaps, day, previous);
      expect(outages).toEqual(outagesOf(gaps, day, null));
      previous = { day, outages, silence: senderSilence(gaps, day, outages) };
    }
    expect(previous?.outages.length).toBeGreaterThan(1);
  });
});

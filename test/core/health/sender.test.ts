import { describe, expect, it } from "vitest";

import { isSenderDoubtful, outagesOf, senderSilence } from "../../../src/core/health/sender.ts";
import type { Day } from "../../../src/core/health/model.ts";
import { daysBetween, MONDAY, weekdaysBetween } from "./support.ts";

/** Busy on every weekday: two business days without an event are out of the ordinary. */
const before = weekdaysBetween(MONDAY - 91, MONDAY - 3);

describe("the sender's silence", () => {
  it("§11.11 outages: a workspace that is busy every day is out on the second business day", () => {
    expect(senderSilence(before, MONDAY - 1, [])).toBeNull();
    expect(senderSilence(before, MONDAY, [])).toBeNull();
    expect(senderSilence(before, MONDAY + 1, [])).toEqual({ lastDay: MONDAY - 3, gap: 2, threshold: 2 });
  });
  it("§11.11 outages: a workspace that often pauses is given twice its longest pause, at most 10 business days", () => {
    const pausing = before.filter((day) => day < MONDAY - 35 || day >= MONDAY - 31);
    expect(senderSilence(pausing, MONDAY + 8, [])).toBeNull();
    expect(senderSilence(pausing, MONDAY + 9, [])).toMatchObject({ gap: 8, threshold: 8 });
    expect(senderSilence([MONDAY - 84, MONDAY - 3], MONDAY + 10, [])).toBeNull();
    expect(senderSilence([MONDAY - 84, MONDAY - 3], MONDAY + 11, [])).toMatchObject({ gap: 10, threshold: 10 });
  });
  it("§11.11 outages: an earlier outage is no pause of its habit", () => {
    const resumed = before.filter((day) => day < MONDAY - 35 || day >= MONDAY - 31);
    const outage: [number, number] = [MONDAY - 37, MONDAY - 32];
    expect(senderSilence(resumed, MONDAY + 1, [])).toBeNull();
    expect(senderSilence(resumed, MONDAY + 1, [outage])).toMatchObject({ threshold: 2 });
  });
  it("§11.11 outages: there is none before the first event, or without one", () => {
    expect(senderSilence([], MONDAY, [])).toBeNull();
    expect(senderSilence([MONDAY + 1], MONDAY, [])).toBeNull();
  });
  it("§11.11 outages: later events change nothing", () => {
    expect(senderSilence([...before, MONDAY + 2], MONDAY + 1, [])).toEqual(senderSilence(before, MONDAY + 1, []));
  });
});

describe("a doubtful sender", () => {
  const daily = weekdaysBetween(MONDAY - 60, MONDAY);
  const missing = (...days: Day[]) => daily.filter((day) => !days.includes(day));
  const seldom = daily.filter((day) => day % 7 === MONDAY % 7);

  it("§11.11 outages: of a daily sender the first working day without an event is in doubt, and no weekend", () => {
    expect(isSenderDoubtful(daily, MONDAY, [])).toBe(false);
    expect(isSenderDoubtful(daily, MONDAY + 1, [])).toBe(true);
    expect(isSenderDoubtful(weekdaysBetween(MONDAY - 60, MONDAY + 4), MONDAY + 6, [])).toBe(false);
    expect(isSenderDoubtful([...daily, MONDAY + 2], MONDAY + 2, [[MONDAY + 1, MONDAY + 1]])).toBe(false);
  });
  it("§11.11 outages: of another one such days are nothing unusual", () => {
    expect(senderSilence(seldom, MONDAY + 14, [])).toMatchObject({ gap: 10, threshold: 10 });
    expect(isSenderDoubtful(seldom, MONDAY + 11, [])).toBe(false);
    // Its longest gap is a day, or two.
    expect(isSenderDoubtful(missing(MONDAY - 13), MONDAY + 1, [])).toBe(true);
    expect(isSenderDoubtful(missing(MONDAY - 13, MONDAY - 12), MONDAY + 1, [])).toBe(false);
  });
  it("§11.11 outages: before the first event there is nothing to doubt", () => {
    expect(isSenderDoubtful([], MONDAY, [])).toBe(false);
    expect(isSenderDoubtful([MONDAY + 1], MONDAY, [])).toBe(false);
  });
});

describe("the sender's outages", () => {
  const days = [...before, ...weekdaysBetween(MONDAY + 3, MONDAY + 30)];
  const outage = [MONDAY - 2, MONDAY + 2];

  it("§11.11 outages: one is known once events come again, with the days before it was recognised", () => {
    expect(outagesOf(days, MONDAY + 2, null)).toEqual([]);
    expect(outagesOf(days, MONDAY + 3, null)).toEqual([outage]);
  });
  it("§11.11 outages: a gap that is not out of the ordinary is none", () => {
    expect(outagesOf([...before, ...weekdaysBetween(MONDAY + 1, MONDAY + 9)], MONDAY + 9, null)).toEqual([]);
  });
  it("§11.11 outages: those known to the context before are carried on", () => {
    const known: [number, number][] = [
      [MONDAY - 500, MONDAY - 490],
      [MONDAY - 2, MONDAY + 2],
    ];
    const context = { day: MONDAY + 5, outages: known, silence: null };
    expect(outagesOf(days, MONDAY + 9, context)).toEqual(known.slice(1));
    const again = days.filter((day) => day < MONDAY + 14 || day > MONDAY + 18);
    expect(outagesOf(again, MONDAY + 21, context)).toEqual([...known.slice(1), [MONDAY + 12, MONDAY + 20]]);
  });
  it("§11.11 outages: one that runs at the context before ends when events come", () => {
    const running = senderSilence(days, MONDAY + 2, []);
    expect(running).not.toBeNull();
    expect(outagesOf(days, MONDAY + 4, { day: MONDAY + 2, outages: [], silence: running })).toEqual([outage]);
  });
  it("§11.11 outages: what arrives late for an outage that runs shortens it", () => {
    const running = { lastDay: MONDAY - 3, gap: 7, threshold: 2 };
    const late = [...before, MONDAY + 2, ...weekdaysBetween(MONDAY + 9, MONDAY + 30)];
    expect(outagesOf(late, MONDAY + 9, { day: MONDAY + 8, outages: [], silence: running })).toEqual([
      [MONDAY - 2, MONDAY + 1],
      [MONDAY + 3, MONDAY + 8],
    ]);
  });
  it("§11.11 outages: days that were erased since never make two outages overlap", () => {
    const known: [number, number] = [MONDAY - 10, MONDAY - 6];
    const context = { day: MONDAY - 1, outages: [known], silence: null };
    const erased = before.filter((day) => day < MONDAY - 14);
    expect(outagesOf([...erased, MONDAY + 7], MONDAY + 7, context)).toEqual([known, [MONDAY - 5, MONDAY + 6]]);
  });
  it("§11.11 outages: they are kept for 400 days", () => {
    expect(outagesOf(days, MONDAY + 401, null).slice(0, 1)).toEqual([outage]);
    expect(outagesOf(days, MONDAY + 402, null)).toEqual([]);
  });
  it("§11.11 outages: day after day comes to the same as all at once", () => {
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

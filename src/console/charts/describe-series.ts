/** A series in a sentence, for those who don't see its line. */
import { isoDate } from "../../edge/present/iso.ts";
import type { Day } from "../../core/health/model.ts";
import { inFigures } from "../../core/health/texts.ts";

export interface Point {
  day: Day;
  /** `null` leaves a gap. */
  value: number | null;
}

/** A point with a value. */
export type Valued = Point & { value: number };

export const valuedOf = (points: readonly Point[]): Valued[] =>
  points.flatMap(({ day, value }) => (value === null ? [] : [{ day, value }]));

/**
 * `Score of acme over 90 days: from 71 to 34, lowest 31 on 2026-11-12`; what the ends tell already is not said again.
 * @returns `null` where there is no value
 */
export function describeSeries(name: string, points: readonly Point[]): string | null {
  const valued = valuedOf(points);
  const [first] = valued;
  const last = valued.at(-1);
  if (first === undefined || last === undefined) return null;
  const ends = [first.value, last.value].map(inFigures);
  const extreme = (word: string, { day, value }: Valued) =>
    ends.includes(inFigures(value)) ? "" : `, ${word} ${inFigures(value)} on ${isoDate(day)}`;
  const days = `${name} over ${points.length} ${points.length === 1 ? "day" : "days"}`;
  const most = valued.reduce((a, b) => (b.value > a.value ? b : a));
  const least = valued.reduce((a, b) => (b.value < a.value ? b : a));
  if (most.value === least.value) return `${days}: ${ends[0]} throughout`;
  return `${days}: from ${ends[0]} to ${ends[1]}${extreme("lowest", least)}${extreme("highest", most)}`;
}

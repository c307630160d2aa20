/** Describes a series in a sentence, for screen readers. */
import { isoDate } from "../../edge/present/iso.ts";
import type { Day } from "../../core/health/model.ts";
import { inFigures } from "../../core/health/texts.ts";

export interface Point {
  day: Day;
  /** `null` for a gap. */
  value: number | null;
}

export type Valued = Point & { value: number };

export const valuedOf = (points: readonly Point[]): Valued[] =>
  points.flatMap(({ day, value }) => (value === null ? [] : [{ day, value }]));

/**
 * `Score of acme over 90 days: from 71 to 34, lowest 31 on 2026-11-12`. Leaves out extremes that equal an end.
 * @returns `null` without any value
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

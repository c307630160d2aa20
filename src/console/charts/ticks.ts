/** The ticks of axes, with their labels. Days and times are UTC. */
import { nice, ticks } from "d3-array";
import { utcTicks } from "d3-time";

import { DAY_MS } from "../../core/durations.ts";

const MONTHS = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"];

/** As many labels as fit on a phone. */
const TIME_TICKS = 4;

/** `1 Nov` for midnight, `14:30` for any other time. */
export function timeLabel(ms: number): string {
  const date = new Date(ms);
  return ms % DAY_MS === 0 ? `${date.getUTCDate()} ${MONTHS[date.getUTCMonth()]}` : date.toISOString().slice(11, 16);
}

export interface Tick {
  /** The position on the axis, in percent. */
  at: number;
  label: string;
}

/** Returns round times between two, such as the first of a month or a full hour. */
export function timeTicks(from: number, to: number): Tick[] {
  const along = scale([from, to], [0, 100]);
  return utcTicks(new Date(from), new Date(to), TIME_TICKS).map((date) => {
    const ms = date.getTime();
    return { at: along(ms), label: timeLabel(ms) };
  });
}

/** Returns about three round whole numbers, from 0 to at least the highest count. */
export function countTicks(highest: number): number[] {
  const [lowest, end] = nice(0, Math.max(1, highest), 2);
  return ticks(lowest, end, 2).filter(Number.isInteger);
}

type Ends = readonly [number, number];

/** Maps a range of values onto another, in proportion. */
export const scale =
  ([from, to]: Ends, [start, end]: Ends) =>
  (value: number): number =>
    from === to ? (start + end) / 2 : start + ((value - from) / (to - from)) * (end - start);

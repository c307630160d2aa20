/** Where axes have their marks, and what stands there. Days and times are UTC. */
import { scaleLinear, scaleUtc } from "d3-scale";

import { DAY_MS } from "../../core/durations.ts";

const MONTHS = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"];

/** As many labels as fit side by side on a telephone. */
const TIME_TICKS = 4;

/** `1 Nov`; of a moment within a day `14:30`. */
export function timeLabel(ms: number): string {
  const date = new Date(ms);
  return ms % DAY_MS === 0 ? `${date.getUTCDate()} ${MONTHS[date.getUTCMonth()]}` : date.toISOString().slice(11, 16);
}

export interface Tick {
  /** Along the axis, in percent. */
  at: number;
  label: string;
}

/** Round moments between two: the first of months, Sundays, full hours. */
export function timeTicks(from: number, to: number): Tick[] {
  const scale = scaleUtc().domain([from, to]).range([0, 100]);
  return scale.ticks(TIME_TICKS).map((date) => ({ at: scale(date), label: timeLabel(date.getTime()) }));
}

/** Three round values or so from 0 up to one that nothing is above; of counts, so whole ones. */
export function countTicks(highest: number): number[] {
  const scale = scaleLinear()
    .domain([0, Math.max(1, highest)])
    .nice(2);
  return scale.ticks(2).filter(Number.isInteger);
}

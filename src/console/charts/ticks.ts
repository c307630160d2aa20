/** The ticks of axes, with their labels. Days and times are UTC. */
import { scaleLinear, scaleUtc } from "d3-scale";

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
  const scale = scaleUtc().domain([from, to]).range([0, 100]);
  return scale.ticks(TIME_TICKS).map((date) => ({ at: scale(date), label: timeLabel(date.getTime()) }));
}

/** Returns about three round whole numbers, from 0 to at least the highest count. */
export function countTicks(highest: number): number[] {
  const scale = scaleLinear()
    .domain([0, Math.max(1, highest)])
    .nice(2);
  return scale.ticks(2).filter(Number.isInteger);
}

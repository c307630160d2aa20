/**
 * The frame that charts share: axes, labels and a description for screen readers. Horizontal positions are in percent
 * and vertical ones in pixels, so that a chart fills its container without scaling its text. Days and times are UTC.
 */
import { nice, ticks } from "d3-array";
import { utcTicks } from "d3-time";
import type { FC, PropsWithChildren } from "hono/jsx";

import { DAY_MS } from "../../core/durations.ts";
import { momentDate } from "../../core/health/texts.ts";
import { formatNumber } from "../components/format.ts";

/** In pixels; charts.css sets the same height. */
export const PLOT_HEIGHT = 176;
/** The vertical positions of the highest value and of 0. */
export const TOP = 10;
export const BOTTOM = 148;

/** As many labels as fit on a phone. */
const TIME_TICKS = 4;
/** A label this close to an end can't be centered. */
const END_PERCENT = 6;

/** Returns the vertical position of a value, in pixels from the top. */
export const heightOf = (value: number, highest: number): number => round(BOTTOM - (value / highest) * (BOTTOM - TOP));

export const round = (value: number): number => Math.round(value * 10) / 10;

type Ends = readonly [number, number];

/** Maps a range of values onto another, in proportion. */
export const scale =
  ([from, to]: Ends, [start, end]: Ends) =>
  (value: number): number =>
    from === to ? (start + end) / 2 : start + ((value - from) / (to - from)) * (end - start);

/** Returns about three round whole numbers, from 0 to at least the highest count. */
export function countTicks(highest: number): number[] {
  const [lowest, end] = nice(0, Math.max(1, highest), 2);
  return ticks(lowest, end, 2).filter(Number.isInteger);
}

/** Returns round times between two, such as the first of a month or a full hour. */
export const timeTicks = ([from, to]: Ends): number[] => utcTicks(new Date(from), new Date(to), TIME_TICKS).map(Number);

/** `1 Nov` for midnight, `14:30` for any other time. */
export const timeLabel = (ms: number): string =>
  ms % DAY_MS === 0 ? momentDate(ms).slice(0, -" 2026".length) : new Date(ms).toISOString().slice(11, 16);

type PlotProps = PropsWithChildren<{
  /** For screen readers. */
  description: string;
  /** The marks of the value axis; the last is the highest. */
  values: readonly number[];
  /** The ends of the time axis, in milliseconds since the epoch. Round times between them have labels. */
  times: Ends;
}>;

export const Plot: FC<PlotProps> = ({ description, values, times, children }) => {
  const heights = values.map((value) => ({ value, y: heightOf(value, values.at(-1) ?? 1) }));
  const along = scale(times, [0, 100]);
  return (
    <div class="plot">
      <svg class="plot-values" aria-hidden="true">
        {heights.map(({ value, y }) => (
          <text x="100%" y={y + 4} text-anchor="end">
            {formatNumber(value)}
          </text>
        ))}
      </svg>
      <svg role="img" aria-label={description}>
        {heights.map(({ y }) => (
          <line class="axis" x1="0" x2="100%" y1={y} y2={y} />
        ))}
        {timeTicks(times).map((time) => (
          <text x={`${round(along(time))}%`} y={PLOT_HEIGHT - 8} text-anchor={anchorAt(along(time))}>
            {timeLabel(time)}
          </text>
        ))}
        {children}
      </svg>
    </div>
  );
};

function anchorAt(percent: number): "start" | "middle" | "end" {
  if (percent < END_PERCENT) return "start";
  return percent > 100 - END_PERCENT ? "end" : "middle";
}

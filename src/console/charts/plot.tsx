/**
 * The frame that charts share: axes, labels and a description for screen readers. Horizontal positions are in percent
 * and vertical ones in pixels, so that a chart fills its container without scaling its text.
 */
import type { FC, PropsWithChildren } from "hono/jsx";

import { formatNumber } from "../components/format.ts";
import type { Tick } from "./ticks.ts";

/** In pixels; accounts.css sets the same height. */
export const PLOT_HEIGHT = 176;
/** The vertical positions of the highest value and of 0. */
export const TOP = 10;
export const BOTTOM = 148;

/** A label this close to an end can't be centered. */
const END_PERCENT = 6;

/** Returns the vertical position of a value, in pixels from the top. */
export const heightOf = (value: number, highest: number): number => round(BOTTOM - (value / highest) * (BOTTOM - TOP));

export const round = (value: number): number => Math.round(value * 100) / 100;

type PlotProps = PropsWithChildren<{
  /** For screen readers. */
  description: string;
  /** The marks of the value axis; the last is the highest. */
  values: readonly number[];
  times: readonly Tick[];
}>;

export const Plot: FC<PlotProps> = ({ description, values, times, children }) => {
  const highest = values.at(-1) ?? 1;
  return (
    <div class="plot">
      <svg class="plot-values" aria-hidden="true">
        {values.map((value) => (
          <text x="100%" y={heightOf(value, highest) + 4} text-anchor="end">
            {formatNumber(value)}
          </text>
        ))}
      </svg>
      <svg role="img" aria-label={description}>
        {values.map((value) => {
          const y = heightOf(value, highest);
          return <line class="axis" x1="0" x2="100%" y1={y} y2={y} />;
        })}
        {times.map(({ at, label }) => (
          <text x={`${round(at)}%`} y={PLOT_HEIGHT - 8} text-anchor={anchorAt(at)}>
            {label}
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

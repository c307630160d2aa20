/**
 * What charts have in common: a frame as wide as its place, the marks of both axes, and the words for those who don't
 * see it. Along, all is in percent, so that a chart grows with its place and its letters don't; upwards it is pixels.
 */
import type { FC, PropsWithChildren } from "hono/jsx";

import { amount } from "../components/elements.tsx";
import type { Tick } from "./ticks.ts";

/** Of the whole, in pixels; accounts.css gives the frame the same. */
export const PLOT_HEIGHT = 176;
/** Where the highest value and 0 are. */
export const TOP = 10;
export const BOTTOM = 148;

/** So near an end a label would not fit in its middle. */
const END_PERCENT = 6;

/** Where a value is, in pixels from above. */
export const heightOf = (value: number, highest: number): number => round(BOTTOM - (value / highest) * (BOTTOM - TOP));

/** No more digits than a screen shows. */
export const round = (value: number): number => Math.round(value * 100) / 100;

/** Of a title, as an id may be written. */
export const idOf = (title: string): string =>
  `chart-${title
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, "-")
    .replaceAll(/^-|-$/g, "")}`;

type PlotProps = PropsWithChildren<{
  /** Unlike that of any other chart of the page. */
  id: string;
  title: string;
  /** What it shows, in words. */
  description: string;
  /** The marks upwards; the last is the highest value. */
  values: readonly number[];
  times: readonly Tick[];
}>;

export const Plot: FC<PlotProps> = ({ id, title, description, values, times, children }) => {
  const highest = values.at(-1) ?? 1;
  return (
    <div class="plot">
      <svg class="plot-values" aria-hidden="true">
        {values.map((value) => (
          <text x="100%" y={heightOf(value, highest) + 4} text-anchor="end">
            {amount(value)}
          </text>
        ))}
      </svg>
      <svg class="plot-area" role="img" aria-labelledby={`${id}-title ${id}-words`}>
        <title id={`${id}-title`}>{title}</title>
        <desc id={`${id}-words`}>{description}</desc>
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

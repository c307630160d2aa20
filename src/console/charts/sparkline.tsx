/** A score's history as a line the size of a word. Always from 0 to 100, so that the lines of a list compare. */
import { line } from "d3-shape";
import type { FC } from "hono/jsx";

import type { Tone } from "../components/elements.tsx";
import { describeSeries, type Point, valuedOf } from "./describe-series.ts";

const WIDTH = 96;
const HEIGHT = 26;
/** Keeps the ends of the line visible. */
const MARGIN = 3;
const HIGHEST = 100;

interface SparklineProps {
  /** Names the values for screen readers, as `Score of acme`. */
  name: string;
  /** One for each day, ascending. */
  points: readonly Point[];
  /** The color of the dot at its end. */
  tone: Tone;
}

/** Renders nothing without any value. */
export const Sparkline: FC<SparklineProps> = ({ name, points, tone }) => {
  const description = describeSeries(name, points);
  const end = valuedOf(points).at(-1);
  const [first] = points;
  const last = points.at(-1);
  if (description === null || end === undefined || first === undefined || last === undefined) return <></>;
  const days = Math.max(1, last.day - first.day);
  const x = ({ day }: Point) => MARGIN + ((day - first.day) * (WIDTH - 2 * MARGIN)) / days;
  const y = ({ value }: Point) => HEIGHT - MARGIN - ((value ?? 0) * (HEIGHT - 2 * MARGIN)) / HIGHEST;
  const drawn = line<Point>(x, y)
    .digits(1)
    .defined(({ value }) => value !== null)([...points]);
  return (
    <svg class="sparkline" viewBox={`0 0 ${WIDTH} ${HEIGHT}`} role="img">
      <title>{description}</title>
      <path d={drawn ?? ""} />
      <circle class={tone} cx={x(end).toFixed(1)} cy={y(end).toFixed(1)} r="2.5" />
    </svg>
  );
};

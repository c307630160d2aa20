/** What has become of a score, as small as a word. Always from 0 to 100, so that those of a list compare. */
import { line } from "d3-shape";
import type { FC } from "hono/jsx";

import type { Tone } from "../components/elements.tsx";
import { describeSeries, type Point, valuedOf } from "./describe-series.ts";

const WIDTH = 96;
const HEIGHT = 26;
/** So that the ends of strokes are not cut off. */
const MARGIN = 3;
const HIGHEST = 100;

interface SparklineProps {
  /** Whose values they are, as `Score of acme`. */
  name: string;
  /** Ascending, a day each. */
  points: readonly Point[];
  /** Of its end. */
  tone: Tone;
}

/** Without any value there is none. */
export const Sparkline: FC<SparklineProps> = ({ name, points, tone }) => {
  const words = describeSeries(name, points);
  const end = valuedOf(points).at(-1);
  const [first] = points;
  const last = points.at(-1);
  if (words === null || end === undefined || first === undefined || last === undefined) return <></>;
  const days = Math.max(1, last.day - first.day);
  const x = ({ day }: Point) => MARGIN + ((day - first.day) * (WIDTH - 2 * MARGIN)) / days;
  const y = ({ value }: Point) => HEIGHT - MARGIN - ((value ?? 0) * (HEIGHT - 2 * MARGIN)) / HIGHEST;
  const drawn = line<Point>(x, y)
    .digits(1)
    .defined(({ value }) => value !== null)([...points]);
  return (
    <svg class="sparkline" viewBox={`0 0 ${WIDTH} ${HEIGHT}`} role="img">
      <title>{words}</title>
      <path d={drawn ?? ""} />
      <circle class={tone} cx={x(end).toFixed(1)} cy={y(end).toFixed(1)} r="2.5" />
    </svg>
  );
};

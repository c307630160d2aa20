/** Line charts of a value by day: a full one, and one the size of a word. The line has a gap where a day has no value. */
import { extent } from "d3-array";
import type { FC } from "hono/jsx";

import type { Period } from "../../core/ask/query/model.ts";
import { DAY_MS } from "../../core/durations.ts";
import type { Day } from "../../core/health/model.ts";
import { counted, inFigures } from "../../core/health/texts.ts";
import type { Tone } from "../components/elements.tsx";
import { BOTTOM, countTicks, heightOf, Plot, PLOT_HEIGHT, round, scale } from "./plot.tsx";

interface Point {
  day: Day;
  /** `null` for a gap. */
  value: number | null;
}

interface Series {
  /** Names the values for screen readers, as `Score of acme`. */
  name: string;
  /** One for each day, ascending. */
  points: readonly Point[];
}

interface LineChartProps extends Series {
  title: string;
  /** The marks of the value axis, ascending. Default: round values up to the maximum. */
  values?: readonly number[];
  /** What a point is of. Default: a day. */
  unit?: Period;
}

/** Charts of the same days align with each other. Renders nothing without any value. */
export const LineChart: FC<LineChartProps> = ({ title, name, points, values, unit }) => {
  const description = describeSeries(name, points, unit);
  if (description === null) return null;
  const marks = values ?? countTicks(Math.max(...points.map(({ value }) => value ?? 0)));
  const highest = marks.at(-1) ?? 1;
  const [first, last] = daysOf(points);
  const drawn = stretches(points, scale([first, last], [0, 100]), (value) => heightOf(value, highest));
  return (
    <figure>
      <figcaption>{title}</figcaption>
      <Plot description={description} values={marks} times={[first * DAY_MS, last * DAY_MS]}>
        <svg viewBox={`0 0 100 ${PLOT_HEIGHT}`} preserveAspectRatio="none">
          <path class="area" d={areas(drawn)} />
          <path class="line" d={lines(drawn)} vector-effect="non-scaling-stroke" />
        </svg>
      </Plot>
    </figure>
  );
};

const WIDTH = 96;
const HEIGHT = 26;
/** Keeps the ends of the line visible. */
const MARGIN = 3;

/**
 * A score's history. Always from 0 to 100, so that the lines of a list compare. Renders nothing without any value.
 * @param tone the color of the dot at its end
 */
export const Sparkline: FC<Series & { tone: Tone }> = ({ name, points, tone }) => {
  const description = describeSeries(name, points);
  const x = scale(daysOf(points), [MARGIN, WIDTH - MARGIN]);
  const drawn = stretches(points, x, scale([0, 100], [HEIGHT - MARGIN, MARGIN]));
  const end = drawn.at(-1)?.at(-1);
  if (description === null || end === undefined) return null;
  return (
    <svg class="sparkline" viewBox={`0 0 ${WIDTH} ${HEIGHT}`} role="img">
      <title>{description}</title>
      <path class="line" d={lines(drawn)} />
      <circle class={tone} cx={end.x} cy={end.y} r="2.5" />
    </svg>
  );
};

interface Place {
  x: number;
  y: number;
}

/** Where points are drawn: a list for each stretch of days without a gap. */
function stretches(points: readonly Point[], x: (day: Day) => number, y: (value: number) => number): Place[][] {
  const all: Place[][] = [[]];
  for (const { day, value } of points) {
    if (value === null) all.push([]);
    else all.at(-1)?.push({ x: round(x(day)), y: round(y(value)) });
  }
  return all.filter(({ length }) => length > 0);
}

const joined = (places: readonly Place[]): string => places.map(({ x, y }) => `${x},${y}`).join("L");

/** A day between gaps is a dot: a path of one point is drawn if it is closed. */
const lines = (drawn: readonly Place[][]): string =>
  drawn.map((places) => `M${joined(places)}${places.length === 1 ? "Z" : ""}`).join("");

const areas = (drawn: readonly Place[][]): string =>
  drawn.map((places) => `M${places[0]?.x},${BOTTOM}L${joined(places)}L${places.at(-1)?.x},${BOTTOM}Z`).join("");

const daysOf = (points: readonly Point[]): [Day, Day] => [points[0]?.day ?? 0, points.at(-1)?.day ?? 0];

/** `Score of acme over 90 days: from 71 to 34, lowest 31, highest 90`; `null` without any value. */
export function describeSeries(name: string, points: readonly Point[], unit: Period = "day"): string | null {
  const values = points.flatMap(({ value }) => value ?? []);
  const [lowest, highest] = extent(values);
  if (lowest === undefined) return null;
  const [from, to, low, high] = [values[0], values.at(-1), lowest, highest].map((value) => inFigures(value ?? 0));
  const days = `${name} over ${counted(points.length, unit)}`;
  if (lowest === highest) return `${days}: ${low} throughout`;
  return `${days}: from ${from} to ${to}, lowest ${low}, highest ${high}`;
}

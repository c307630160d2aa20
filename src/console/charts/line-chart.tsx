/** Line charts of a value by day: a full one, and one the size of a word. The line has a gap where a day has no value. */
import type { FC } from "hono/jsx";

import { DAY_MS } from "../../core/durations.ts";
import type { Day } from "../../core/health/model.ts";
import { inFigures } from "../../core/health/texts.ts";
import { isoDate } from "../../edge/present/iso.ts";
import type { Tone } from "../components/elements.tsx";
import { BOTTOM, heightOf, Plot, PLOT_HEIGHT, round } from "./plot.tsx";
import { countTicks, scale, timeTicks } from "./ticks.ts";

interface Point {
  day: Day;
  /** `null` for a gap. */
  value: number | null;
}

type Valued = Point & { value: number };

const isValued = (point: Point): point is Valued => point.value !== null;

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
}

/** Charts of the same days align with each other. Renders nothing without any value. */
export const LineChart: FC<LineChartProps> = ({ title, name, points, values }) => {
  const description = describeSeries(name, points);
  if (description === null) return null;
  const marks = values ?? countTicks(Math.max(...points.map(({ value }) => value ?? 0)));
  const highest = marks.at(-1) ?? 1;
  const [first, last] = daysOf(points);
  const along = scale([first, last], [0, 100]);
  const drawn = stretches(points, ({ day, value }) => [along(day), heightOf(value, highest)]);
  return (
    <figure>
      <figcaption>{title}</figcaption>
      <Plot description={description} values={marks} times={timeTicks(first * DAY_MS, last * DAY_MS)}>
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
  const end = points.findLast(isValued);
  if (description === null || end === undefined) return null;
  const x = scale(daysOf(points), [MARGIN, WIDTH - MARGIN]);
  const y = scale([0, 100], [HEIGHT - MARGIN, MARGIN]);
  const drawn = stretches(points, ({ day, value }) => [x(day), y(value)]);
  return (
    <svg class="sparkline" viewBox={`0 0 ${WIDTH} ${HEIGHT}`} role="img">
      <title>{description}</title>
      <path class="line" d={lines(drawn)} />
      <circle class={tone} cx={x(end.day).toFixed(1)} cy={y(end.value).toFixed(1)} r="2.5" />
    </svg>
  );
};

/** Where points are drawn, as SVG coordinates: a list for each stretch of days without a gap. */
function stretches(points: readonly Point[], place: (point: Valued) => readonly [x: number, y: number]): string[][] {
  const all: string[][] = [[]];
  for (const point of points) {
    if (!isValued(point)) all.push([]);
    else all.at(-1)?.push(place(point).map(round).join(","));
  }
  return all.filter(({ length }) => length > 0);
}

/** A day between gaps is a dot: a path of one point is drawn if it is closed. */
const lines = (drawn: readonly string[][]): string =>
  drawn.map((places) => `M${places.join("L")}${places.length === 1 ? "Z" : ""}`).join("");

const areas = (drawn: readonly string[][]): string =>
  drawn
    .map((places) => {
      const [start, end] = [places[0], places.at(-1)].map((each) => each?.split(",")[0]);
      return `M${start},${BOTTOM}L${places.join("L")}L${end},${BOTTOM}Z`;
    })
    .join("");

const daysOf = (points: readonly Point[]): [Day, Day] => [points[0]?.day ?? 0, points.at(-1)?.day ?? 0];

/**
 * `Score of acme over 90 days: from 71 to 34, lowest 31 on 2026-11-12`. Leaves out extremes that equal an end.
 * @returns `null` without any value
 */
export function describeSeries(name: string, points: readonly Point[]): string | null {
  const valued = points.filter(isValued);
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

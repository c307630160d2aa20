/** Line charts of a value by day: a full one, and one the size of a word. The line has a gap where a day has no value. */
import { extent } from "d3-array";
import type { FC } from "hono/jsx";

import type { Period } from "../../core/ask/query/model.ts";
import { DAY_MS } from "../../core/durations.ts";
import type { Day } from "../../core/health/model.ts";
import { counted, inFigures } from "../../core/health/texts.ts";
import type { Tone } from "../components/elements.tsx";
import type { ChartData } from "../assets/scripts/chart-data.ts";
import { BOTTOM, countTicks, heightOf, Plot, PLOT_HEIGHT, round, scale, TOP } from "./plot.tsx";

interface Point {
  day: Day;
  /** `null` for a gap. */
  value: number | null;
}

interface Series {
  /** Names the values for screen readers, as `Score of acme`. */
  name: string;
  /** At equal distances, ascending: one for each day, or each week. */
  points: readonly Point[];
}

/** Days in the color of a tone, behind the line. */
interface Band {
  from: Day;
  to: Day;
  tone: Tone;
  name: string;
}

interface LineChartProps extends Series {
  title: string;
  /** The marks of the value axis, ascending. Default: round values up to the maximum. */
  values?: readonly number[];
  /** A second, thinner line of the same days. */
  average?: { name: string; points: readonly Point[] };
  bands?: readonly Band[];
  /** What happened on a day. */
  marks?: readonly { day: Day; text: string }[];
  /** What a point is of. Default: a day. */
  unit?: Period;
}

/**
 * Charts of the same days align with each other. Renders nothing without any value. With script, `assets/charts.ts` replaces
 * the picture with one that has a crosshair, drawn from `data-chart`.
 */
export const LineChart: FC<LineChartProps> = ({
  title,
  name,
  points,
  values,
  average,
  bands = [],
  marks = [],
  unit,
}) => {
  const description = describeSeries(name, points, unit);
  if (description === null) return null;
  const heights = values ?? countTicks(Math.max(...points.map(({ value }) => value ?? 0)));
  const highest = heights.at(-1) ?? 1;
  const [first, last] = daysOf(points);
  const x = scale([first, last], [0, 100]);
  const at = (value: number) => heightOf(value, highest);
  const drawn = stretches(points, x, at);
  const shown = marks.filter(({ day }) => day >= first && day <= last);
  const names = [...new Set(bands.map((band) => band.name))];
  const data: ChartData = {
    first,
    step: (points[1]?.day ?? first + 1) - first,
    heights,
    series: [
      { name: title, values: points.map(({ value }) => value) },
      ...(average === undefined ? [] : [{ name: average.name, values: average.points.map(({ value }) => value) }]),
    ],
    bands: bands.map(({ from, to, name: band }) => [from - first, to - first, names.indexOf(band)]),
    tones: names.map((band) => [bands.find((one) => one.name === band)?.tone ?? "none", band]),
    marks: shown.map(({ day, text }) => [day, text]),
  };
  return (
    <figure data-chart={JSON.stringify(data)} data-description={description}>
      <figcaption>{title}</figcaption>
      <Plot description={description} values={heights} times={[first * DAY_MS, last * DAY_MS]}>
        <svg viewBox={`0 0 100 ${PLOT_HEIGHT}`} preserveAspectRatio="none">
          {data.tones.map(([tone, band]) => (
            <path
              class={`band ${tone}`}
              d={rects(
                bands.filter((one) => one.name === band),
                x,
              )}
            />
          ))}
          {bands.length === 0 && <path class="area" d={areas(drawn)} />}
          {shown.map(({ day }) => (
            <path class="mark" d={`M${round(x(day))},${TOP}V${BOTTOM}`} vector-effect="non-scaling-stroke" />
          ))}
          <path
            class={average === undefined ? "line" : "line faint"}
            d={lines(drawn)}
            vector-effect="non-scaling-stroke"
          />
          {average !== undefined && (
            <path class="line" d={lines(stretches(average.points, x, at))} vector-effect="non-scaling-stroke" />
          )}
        </svg>
      </Plot>
    </figure>
  );
};

/** From half a day before the first day to half a day after the last. */
const rects = (bands: readonly Band[], x: (day: Day) => number): string =>
  bands
    .map(({ from, to }) => `M${round(x(from - 0.5))},${TOP}H${round(x(to + 0.5))}V${BOTTOM}H${round(x(from - 0.5))}`)
    .join("");

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

/** Points within a level stretch draw nothing. */
const joined = (places: readonly Place[]): string =>
  places
    .filter(({ y }, index) => y !== places[index - 1]?.y || y !== places[index + 1]?.y)
    .map(({ x, y }) => `${x},${y}`)
    .join("L");

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

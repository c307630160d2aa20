/** Counts of several kinds over time, one upon the other. */
import type { FC } from "hono/jsx";

import { amount, type Tone } from "../components/elements.tsx";
import { BOTTOM, heightOf, idOf, Plot, round } from "./plot.tsx";
import { countTicks, timeLabel, timeTicks } from "./ticks.ts";

interface Series {
  name: string;
  tone: Tone;
}

interface Bucket {
  /** Milliseconds since the epoch. */
  start: number;
  /** Of each series, in their order; the first is at the bottom. */
  values: readonly number[];
}

interface StackedBarsProps {
  title: string;
  /** What is counted, as `messages`. */
  unit: string;
  series: readonly Series[];
  /** Ascending, each as long as the next. */
  buckets: readonly Bucket[];
}

/** The part of a bucket's width that its bar takes. */
const BAR_SHARE = 0.72;

/** Without any bucket there is none. */
export const StackedBars: FC<StackedBarsProps> = ({ title, unit, series, buckets }) => {
  const [first, second] = buckets;
  const last = buckets.at(-1);
  if (first === undefined || last === undefined) return <></>;
  const length = second === undefined ? 1 : second.start - first.start;
  const marks = countTicks(Math.max(...buckets.map(totalOf)));
  const used = buckets.filter((bucket) => totalOf(bucket) > 0);
  return (
    <figure class="chart">
      <ul class="legend">
        {series.map(({ name, tone }) => (
          <li>
            <svg class="swatch" viewBox="0 0 10 10" aria-hidden="true">
              <rect class={tone} width="10" height="10" rx="3" />
            </svg>
            {name}
          </li>
        ))}
      </ul>
      <Plot
        id={idOf(title)}
        title={title}
        description={describe(unit, series, buckets)}
        values={marks}
        times={timeTicks(first.start, last.start + length)}
      >
        {buckets.map((bucket, place) => (
          <Bar {...{ bucket, place, series }} width={100 / buckets.length} highest={marks.at(-1) ?? 1} />
        ))}
      </Plot>
      {used.length > 0 && (
        <details>
          <summary>As a table</summary>
          <Table {...{ title, series }} buckets={used} />
        </details>
      )}
    </figure>
  );
};

interface BarProps {
  bucket: Bucket;
  place: number;
  series: readonly Series[];
  /** Of a bucket, in percent. */
  width: number;
  highest: number;
}

const Bar: FC<BarProps> = ({ bucket, place, series, width, highest }) => {
  const told = series.flatMap(({ name, tone }, at) => {
    const value = bucket.values[at] ?? 0;
    if (value === 0) return [];
    const below = bucket.values.slice(0, at).reduce((sum, one) => sum + one, 0);
    const y = heightOf(below + value, highest);
    return [{ name, tone, value, y, height: round((below === 0 ? BOTTOM : heightOf(below, highest)) - y) }];
  });
  if (told.length === 0) return <></>;
  return (
    <g>
      <title>{`${timeLabel(bucket.start)}: ${told.map(({ name, value }) => `${name} ${amount(value)}`).join(", ")}`}</title>
      {told.map(({ tone, y, height }) => (
        <rect
          class={tone}
          x={`${round((place + (1 - BAR_SHARE) / 2) * width)}%`}
          y={y}
          width={`${round(width * BAR_SHARE)}%`}
          height={height}
        />
      ))}
    </g>
  );
};

const Table: FC<Pick<StackedBarsProps, "title" | "series" | "buckets">> = ({ title, series, buckets }) => (
  <div class="table-scroll">
    <table>
      <caption class="visually-hidden">{title}, where there were any</caption>
      <thead>
        <tr>
          <th scope="col">From (UTC)</th>
          {series.map(({ name }) => (
            <th scope="col" class="num">
              {name}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {buckets.map(({ start, values }) => (
          <tr>
            <th scope="row">{new Date(start).toISOString().slice(0, 16).replace("T", " ")}</th>
            {series.map((_, at) => (
              <td class="num">{amount(values[at] ?? 0)}</td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  </div>
);

const totalOf = ({ values }: Bucket): number => values.reduce((sum, value) => sum + value, 0);

/** `Stored 1,200, Rejected 3; at most 40 messages at 14:05 UTC`. */
function describe(unit: string, series: readonly Series[], buckets: readonly Bucket[]): string {
  const most = buckets.reduce((a, b) => (totalOf(b) > totalOf(a) ? b : a));
  if (totalOf(most) === 0) return `No ${unit}`;
  const sums = series.map(
    ({ name }, at) => `${name} ${amount(buckets.reduce((sum, { values }) => sum + (values[at] ?? 0), 0))}`,
  );
  return `${sums.join(", ")}; at most ${amount(totalOf(most))} ${unit} at ${timeLabel(most.start)} UTC`;
}

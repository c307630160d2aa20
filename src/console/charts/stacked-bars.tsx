/** A stacked bar chart of counts over time. */
import type { FC } from "hono/jsx";

import type { Tone } from "../components/elements.tsx";
import { formatMinute, formatNumber } from "../components/format.ts";
import { Table } from "../components/table.tsx";
import { BOTTOM, heightOf, Plot, round } from "./plot.tsx";
import { countTicks, timeLabel, timeTicks } from "./ticks.ts";

interface Series {
  name: string;
  tone: Tone;
}

interface Bucket {
  /** Milliseconds since the epoch. */
  start: number;
  /** One for each series; the first is at the bottom. */
  values: readonly number[];
}

interface StackedBarsProps {
  title: string;
  /** What the values count, as `messages`. */
  unit: string;
  series: readonly Series[];
  /** Ascending and of equal length. */
  buckets: readonly Bucket[];
}

/** The width of a bar relative to its bucket. */
const BAR_SHARE = 0.72;

/** Renders nothing without buckets. */
export const StackedBars: FC<StackedBarsProps> = ({ title, unit, series, buckets }) => {
  const [first, second] = buckets;
  const last = buckets.at(-1);
  if (first === undefined || last === undefined) return null;
  const length = second === undefined ? 1 : second.start - first.start;
  const marks = countTicks(Math.max(...buckets.map(totalOf)));
  const used = buckets.filter((bucket) => totalOf(bucket) > 0);
  return (
    <figure class="stack">
      <ul class="cluster loose note">
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
        description={`${title}: ${describe(unit, series, buckets)}`}
        values={marks}
        times={timeTicks(first.start, last.start + length)}
      >
        {buckets.map((bucket, place) => (
          <Bar {...{ bucket, place, series }} width={100 / buckets.length} highest={marks.at(-1) ?? 1} />
        ))}
      </Plot>
      {used.length > 0 && (
        <details>
          <summary>Show as table</summary>
          <Table
            caption={`${title}, without empty rows`}
            columns={[
              { title: "From (UTC)", cell: ({ start }: Bucket) => formatMinute(start) },
              ...series.map(({ name }, at) => ({
                title: name,
                class: "num" as const,
                cell: ({ values }: Bucket) => formatNumber(values[at] ?? 0),
              })),
            ]}
            rows={used}
          />
        </details>
      )}
    </figure>
  );
};

interface BarProps {
  bucket: Bucket;
  place: number;
  series: readonly Series[];
  width: number;
  highest: number;
}

const Bar: FC<BarProps> = ({ bucket, place, series, width, highest }) => {
  const segments = series.flatMap(({ name, tone }, at) => {
    const value = bucket.values[at] ?? 0;
    if (value === 0) return [];
    const below = bucket.values.slice(0, at).reduce((sum, one) => sum + one, 0);
    const y = heightOf(below + value, highest);
    return [{ name, tone, value, y, height: round((below === 0 ? BOTTOM : heightOf(below, highest)) - y) }];
  });
  if (segments.length === 0) return null;
  return (
    <g>
      <title>{`${timeLabel(bucket.start)}: ${segments.map(({ name, value }) => `${name} ${formatNumber(value)}`).join(", ")}`}</title>
      {segments.map(({ tone, y, height }) => (
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

const totalOf = ({ values }: Bucket): number => values.reduce((sum, value) => sum + value, 0);

/** `Stored 1,200, Rejected 3; at most 40 messages at 14:05 UTC`. */
function describe(unit: string, series: readonly Series[], buckets: readonly Bucket[]): string {
  const most = buckets.reduce((a, b) => (totalOf(b) > totalOf(a) ? b : a));
  if (totalOf(most) === 0) return `No ${unit}`;
  const sums = series.map(
    ({ name }, at) => `${name} ${formatNumber(buckets.reduce((sum, { values }) => sum + (values[at] ?? 0), 0))}`,
  );
  return `${sums.join(", ")}; at most ${formatNumber(totalOf(most))} ${unit} at ${timeLabel(most.start)} UTC`;
}

/** Message volume: the stored and rejected messages of the last hour or two days, as figures, a stacked bar chart and a table. */
import { greatest, sum } from "d3-array";
import type { FC, PropsWithChildren } from "hono/jsx";

import { typedKeys } from "../../core/typed-keys.ts";
import type { TrafficBucket, TrafficSpan } from "../../db/events/traffic.ts";
import type { LogKind } from "../../db/events/message-log.ts";
import { BOTTOM, countTicks, heightOf, Plot, round, timeLabel } from "../charts/plot.tsx";
import { Stat, type Tone } from "../components/elements.tsx";
import { formatMinute, formatNumber } from "../components/format.ts";
import { Table, type TableColumns } from "../components/table.tsx";
import { type LiveFilter, livePath } from "./search.tsx";

export const SPANS: Record<TrafficSpan, string> = { hour: "Last hour", days: "Last two days" };

type TrafficProps = PropsWithChildren<{
  workspace: { id: string };
  filter: LiveFilter;
  buckets: readonly TrafficBucket[];
  /** All messages ever stored, and all that the write limit has refused. */
  total: number;
  refused: number;
}>;

export const Traffic: FC<TrafficProps> = ({ workspace, filter, buckets, total, refused, children }) => {
  const { span } = filter;
  const used = buckets.filter((bucket) => totalOf(bucket) > 0);
  const linkTo = (show: LogKind, count: number) => (
    <a href={livePath(workspace, { span, show })}>{formatNumber(count)}</a>
  );
  return (
    <section class="card traffic" aria-label="Message volume">
      <div class="column">
        <nav class="cluster loose note spans" aria-label="Time range">
          {typedKeys(SPANS).map((choice) => (
            <a
              href={livePath(workspace, { ...filter, span: choice })}
              aria-current={choice === span ? "true" : undefined}
            >
              {SPANS[choice]}
            </a>
          ))}
        </nav>
        <dl class="stats">
          <Stat
            label={<Legend tone="accent" name="Stored" />}
            value={linkTo(
              "stored",
              sum(buckets, ({ stored }) => stored),
            )}
            note={`${formatNumber(total)} stored in total`}
          />
          <Stat
            label={<Legend tone="bad" name="Rejected" />}
            value={linkTo(
              "rejected",
              sum(buckets, ({ rejected }) => rejected),
            )}
          />
          <Stat label="Rate-limited" value={formatNumber(refused)} note="so far" />
        </dl>
        {children}
      </div>
      <div>
        <Bars {...{ buckets, span }} />
        {used.length > 0 && (
          <details class="note">
            <summary>Show as table</summary>
            <Table caption="Messages by time, without empty rows" columns={COLUMNS} rows={used} />
          </details>
        )}
      </div>
    </section>
  );
};

const Legend: FC<{ tone: Tone; name: string }> = ({ tone, name }) => (
  <>
    <svg class="swatch" viewBox="0 0 10 10" aria-hidden="true">
      <rect class={tone} width="10" height="10" rx="3" />
    </svg>
    {name}
  </>
);

const COLUMNS: TableColumns<TrafficBucket> = [
  { title: "From (UTC)", cell: ({ start }) => formatMinute(start) },
  { title: "Stored", class: "num", cell: ({ stored }) => formatNumber(stored) },
  { title: "Rejected", class: "num", cell: ({ rejected }) => formatNumber(rejected) },
];

/** The width of a bar relative to its bucket. */
const BAR_SHARE = 0.72;

const Bars: FC<{ buckets: readonly TrafficBucket[]; span: TrafficSpan }> = ({ buckets, span }) => {
  const marks = countTicks(Math.max(...buckets.map(totalOf)));
  const highest = marks.at(-1) ?? 1;
  const [first = 0, second = 0] = buckets.map(({ start }) => start);
  const width = 100 / buckets.length;
  return (
    <Plot
      description={`Messages, ${SPANS[span].toLowerCase()}: ${describe(buckets)}`}
      values={marks}
      times={[first, first + buckets.length * (second - first)]}
    >
      {buckets.map(({ start, stored, rejected }, index) => {
        const x = `${round((index + (1 - BAR_SHARE) / 2) * width)}%`;
        const [middle, top] = [heightOf(stored, highest), heightOf(stored + rejected, highest)];
        const bar = { x, width: `${round(BAR_SHARE * width)}%` };
        return (
          stored + rejected > 0 && (
            <g>
              <title>{`${timeLabel(start)}: Stored ${formatNumber(stored)}, Rejected ${formatNumber(rejected)}`}</title>
              <rect class="accent" {...bar} y={middle} height={round(BOTTOM - middle)} />
              <rect class="bad" {...bar} y={top} height={round(middle - top)} />
            </g>
          )
        );
      })}
    </Plot>
  );
};

const totalOf = ({ stored, rejected }: TrafficBucket): number => stored + rejected;

/** `a peak of 40 at 14:05 UTC`. The figures above the chart are the sums. */
function describe(buckets: readonly TrafficBucket[]): string {
  const most = greatest(buckets, totalOf);
  if (most === undefined || totalOf(most) === 0) return "none";
  return `a peak of ${formatNumber(totalOf(most))} at ${timeLabel(most.start)} UTC`;
}

/** Messages over time by outcome, and the current use of the write limit. */
import type { FC } from "hono/jsx";

import type { TrafficCounts } from "../../core/traffic/traffic.ts";
import { typedKeys } from "../../core/typed-keys.ts";
import type { WorkspaceTraffic } from "../../services/limiter.ts";
import { StackedBars } from "../charts/stacked-bars.tsx";
import { Card, Stat, Stats, type Tone } from "../components/elements.tsx";
import { formatNumber } from "../components/format.ts";

const SPANS = { hour: "Last hour", days: "Last two days" } as const;
export type Span = keyof typeof SPANS;

export const isSpan = (text: string | undefined): text is Span => text !== undefined && Object.hasOwn(SPANS, text);

const SERIES: { of: keyof TrafficCounts; name: string; tone: Tone }[] = [
  { of: "stored", name: "Stored", tone: "accent" },
  { of: "duplicates", name: "Duplicates", tone: "none" },
  { of: "rejected", name: "Rejected", tone: "bad" },
  { of: "limited", name: "Rate-limited", tone: "watch" },
];

interface TrafficProps {
  traffic: WorkspaceTraffic;
  span: Span;
  /** The length of the write limit's window. */
  windowSeconds: number;
}

export const Traffic: FC<TrafficProps> = ({ traffic, span, windowSeconds }) => {
  const { limit, inUse } = traffic;
  const buckets = span === "hour" ? traffic.minutes : traffic.hours;
  const sum = (of: keyof TrafficCounts) => buckets.reduce((total, bucket) => total + bucket[of], 0);
  const isFull = inUse >= limit;
  return (
    <div class="traffic">
      <Card title="Event volume">
        <nav class="spans" aria-label="Time range">
          {typedKeys(SPANS).map((choice) => (
            <a href={`?span=${choice}`} aria-current={choice === span ? "true" : undefined}>
              {SPANS[choice]}
            </a>
          ))}
        </nav>
        <Stats>
          {SERIES.map(({ of, name }) => (
            <Stat label={name} value={formatNumber(sum(of))} />
          ))}
        </Stats>
        <StackedBars
          title={`Messages by outcome, ${SPANS[span].toLowerCase()}`}
          unit="messages"
          series={SERIES.map(({ name, tone }) => ({ name, tone }))}
          buckets={buckets.map((bucket) => ({ start: bucket.start, values: SERIES.map(({ of }) => bucket[of]) }))}
        />
      </Card>
      <Card title="Write limit">
        <p class={`gauge-value ${isFull ? "bad" : ""}`}>
          {formatNumber(inUse)} <span class="note">of {formatNumber(limit)} messages</span>
        </p>
        <meter min={0} max={limit} low={limit * 0.7} high={limit * 0.9} optimum={0} value={Math.min(inUse, limit)}>
          {`${formatNumber(inUse)} of ${formatNumber(limit)}`}
        </meter>
        <p class="note">
          {isFull
            ? "Nothing available now: further messages get status 429."
            : `${formatNumber(limit - inUse)} available now.`}{" "}
          The limit applies to the last {windowSeconds} seconds.
        </p>
      </Card>
    </div>
  );
};

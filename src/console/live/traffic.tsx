/** Messages over time by outcome, and the current use of the write limit. */
import type { FC } from "hono/jsx";

import { typedKeys } from "../../core/typed-keys.ts";
import type { TrafficBucket, TrafficSpan } from "../../services/events.ts";
import type { WriteLimitUsage } from "../../services/limiter.ts";
import { StackedBars } from "../charts/stacked-bars.tsx";
import { Card, Stat, Stats, type Tone } from "../components/elements.tsx";
import { formatNumber } from "../components/format.ts";

const SPANS: Record<TrafficSpan, string> = { hour: "Last hour", days: "Last two days" };

export const isSpan = (text: string | undefined): text is TrafficSpan =>
  text !== undefined && Object.hasOwn(SPANS, text);

const SERIES: { key: "stored" | "rejected"; name: string; tone: Tone }[] = [
  { key: "stored", name: "Stored", tone: "accent" },
  { key: "rejected", name: "Rejected", tone: "bad" },
];

interface TrafficProps {
  buckets: readonly TrafficBucket[];
  usage: WriteLimitUsage;
  span: TrafficSpan;
  /** The length of the write limit's window. */
  windowSeconds: number;
}

export const Traffic: FC<TrafficProps> = ({ buckets, usage, span, windowSeconds }) => (
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
        {SERIES.map(({ key, name }) => (
          <Stat label={name} value={formatNumber(buckets.reduce((total, bucket) => total + bucket[key], 0))} />
        ))}
      </Stats>
      <StackedBars
        title={`Messages by outcome, ${SPANS[span].toLowerCase()}`}
        unit="messages"
        series={SERIES}
        buckets={buckets.map((bucket) => ({ start: bucket.start, values: SERIES.map(({ key }) => bucket[key]) }))}
      />
    </Card>
    <WriteLimit {...{ usage, windowSeconds }} />
  </div>
);

const WriteLimit: FC<Pick<TrafficProps, "usage" | "windowSeconds">> = ({ usage, windowSeconds }) => {
  const { limit, inUse, refused } = usage;
  const isFull = inUse >= limit;
  return (
    <Card title="Write limit">
      <p class={`gauge-value ${isFull ? "bad" : ""}`}>
        {formatNumber(inUse)} <span class="note">of {formatNumber(limit)} messages</span>
      </p>
      <meter min={0} max={limit} low={limit * 0.7} high={limit * 0.9} optimum={0} value={Math.min(inUse, limit)}>
        {`${formatNumber(inUse)} of ${formatNumber(limit)}`}
      </meter>
      <p class="note">
        {isFull
          ? "The limit is used up: senders must retry (status 429)."
          : `${formatNumber(limit - inUse)} available now.`}{" "}
        The limit applies to the last {windowSeconds} seconds.
      </p>
      {refused > 0 && <p class="note">{formatNumber(refused)} messages rate-limited so far.</p>}
    </Card>
  );
};

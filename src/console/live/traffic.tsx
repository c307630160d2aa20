/** What became of messages over time, and how much of the write limit is in use. */
import type { FC } from "hono/jsx";

import type { TrafficCounts } from "../../core/traffic/traffic.ts";
import type { WorkspaceTraffic } from "../../services/limiter.ts";
import { StackedBars } from "../charts/stacked-bars.tsx";
import { amount, Card, Stat, Stats, type Tone } from "../components/elements.tsx";

const SPANS = { hour: "Last hour, by minute", days: "Last two days, by hour" } as const;
export type Span = keyof typeof SPANS;

export const isSpan = (text: string | undefined): text is Span => text !== undefined && Object.hasOwn(SPANS, text);

const SERIES: { of: keyof TrafficCounts; name: string; tone: Tone }[] = [
  { of: "stored", name: "Stored", tone: "accent" },
  { of: "duplicates", name: "Duplicate", tone: "none" },
  { of: "rejected", name: "Rejected", tone: "bad" },
  { of: "limited", name: "Limited", tone: "watch" },
];

interface TrafficProps {
  traffic: WorkspaceTraffic;
  span: Span;
  /** Of the write limit. */
  windowSeconds: number;
}

export const Traffic: FC<TrafficProps> = ({ traffic, span, windowSeconds }) => {
  const { limit, inUse } = traffic;
  const buckets = span === "hour" ? traffic.minutes : traffic.hours;
  const sum = (of: keyof TrafficCounts) => buckets.reduce((total, bucket) => total + bucket[of], 0);
  const isFull = inUse >= limit;
  return (
    <div class="traffic">
      <Card title="What became of messages">
        <nav class="spans" aria-label="Stretch of time">
          {(["hour", "days"] as const).map((one) => (
            <a href={`?span=${one}`} aria-current={one === span ? "true" : undefined}>
              {SPANS[one]}
            </a>
          ))}
        </nav>
        <Stats>
          {SERIES.map(({ of, name }) => (
            <Stat label={name} value={amount(sum(of))} />
          ))}
        </Stats>
        <StackedBars
          title={`Messages, ${SPANS[span].toLowerCase()}`}
          unit="messages"
          series={SERIES.map(({ name, tone }) => ({ name, tone }))}
          buckets={buckets.map((bucket) => ({ start: bucket.start, values: SERIES.map(({ of }) => bucket[of]) }))}
        />
      </Card>
      <Card title="Write limit in use">
        <p class={`gauge-value ${isFull ? "bad" : ""}`}>
          {amount(inUse)} <span class="note">of {amount(limit)} messages</span>
        </p>
        <meter min={0} max={limit} low={limit * 0.7} high={limit * 0.9} optimum={0} value={Math.min(inUse, limit)}>
          {`${amount(inUse)} of ${amount(limit)}`}
        </meter>
        <p class="note">
          {isFull
            ? `None is free: more is answered 429 until one is. The limit counts the last ${windowSeconds} seconds.`
            : `${amount(limit - inUse)} more may come at once. The limit counts the last ${windowSeconds} seconds.`}
        </p>
      </Card>
    </div>
  );
};

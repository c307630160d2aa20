/** Live: event volume, the newest messages and rejects, and the use of the write limit. */
import { Hono } from "hono";
import type { FC } from "hono/jsx";

import { WRITE_WINDOW_MS } from "../../core/limit/policy.ts";
import { typedKeys } from "../../core/typed-keys.ts";
import type { AppEnv } from "../../edge/app-context.ts";
import { operation } from "../../edge/request-log.ts";
import { readNewestArrivals } from "../../db/events/arrivals.ts";
import { readTraffic } from "../../db/events/traffic.ts";
import { readWriteLimitUsage } from "../../limiter/call-limiter.ts";
import type { WriteLimitUsage } from "../../limiter/write-limiter.ts";
import { Card, Heading } from "../components/elements.tsx";
import { formatMinute, formatNumber } from "../components/format.ts";
import { Page } from "../layout/page.tsx";
import { Arrivals, Rejects } from "./messages.tsx";
import { SPANS, Traffic } from "./traffic.tsx";

const SHOWN_MESSAGES = 25;
const REFRESH_SECONDS = 2;

export const livePages = new Hono<AppEnv>().get("/", operation("console_live"), async (c) => {
  const workspace = c.get("workspace");
  const span = typedKeys(SPANS).find((one) => one === c.req.query("span")) ?? "hour";
  const [[newest, buckets], usage] = await Promise.all([
    Promise.all([
      readNewestArrivals(c.env, workspace, SHOWN_MESSAGES),
      readTraffic(c.env, workspace, span, Date.now()),
    ]),
    readWriteLimitUsage(c.env, workspace.id),
  ]);
  const refresh = { "data-refresh": REFRESH_SECONDS };
  return c.html(
    <Page c={c} title="Live" tab="live">
      <Heading title="Live" lead="Messages as they arrive, and why messages are rejected." />
      <div id="traffic" class="grid traffic" {...refresh}>
        <Traffic {...{ buckets, span }} />
        <WriteLimit usage={usage} />
      </div>
      <div class="grid live">
        <Card title="Newest messages">
          <div id="arrivals" class="stack" {...refresh}>
            <p class="lead">
              {formatNumber(newest.stored)} stored in total. Personal data is removed.
              {newest.archivedUntil !== null &&
                ` Messages received until ${formatMinute(newest.archivedUntil)} UTC are in the archive.`}
            </p>
            <Arrivals {...{ workspace }} messages={newest.messages} archivedUntil={newest.archivedUntil} />
          </div>
        </Card>
        <Card
          title="Rejected messages"
          lead="These messages are not stored. Messages of unsupported types, and messages without a user or an account, are not listed or counted here."
        >
          <div id="rejects" {...refresh}>
            <Rejects rejections={newest.rejections} />
          </div>
        </Card>
      </div>
    </Page>,
  );
});

const WriteLimit: FC<{ usage: WriteLimitUsage }> = ({ usage: { limit, inUse, refused } }) => {
  const isFull = inUse >= limit;
  return (
    <Card title="Write limit">
      <p class="stat">
        <span class={isFull ? "figure bad" : "figure"}>{formatNumber(inUse)}</span>{" "}
        <span class="note">of {formatNumber(limit)} messages</span>
      </p>
      <meter min={0} max={limit} low={limit * 0.7} high={limit * 0.9} optimum={0} value={Math.min(inUse, limit)}>
        {`${formatNumber(inUse)} of ${formatNumber(limit)}`}
      </meter>
      <p class="note">
        {isFull
          ? "The limit is used up: senders must retry (status 429)."
          : `${formatNumber(limit - inUse)} available now.`}{" "}
        The limit applies to the last {WRITE_WINDOW_MS / 1_000} seconds.
      </p>
      {refused > 0 && <p class="note">{formatNumber(refused)} messages were rate-limited so far.</p>}
    </Card>
  );
};

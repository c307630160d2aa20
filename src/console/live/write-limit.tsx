/** How much of the write limit is in use, and whether senders are rate-limited. */
import type { FC } from "hono/jsx";

import { counted } from "../../core/health/texts.ts";
import { WRITE_WINDOW_MS } from "../../core/limit/policy.ts";
import type { WriteLimitUsage } from "../../limiter/write-limiter.ts";
import { timeLabel } from "../charts/plot.tsx";
import { Notice } from "../components/elements.tsx";
import { formatNumber } from "../components/format.ts";

export const WriteLimit: FC<{ usage: WriteLimitUsage }> = ({ usage: { limit, inUse } }) => (
  <div>
    <meter min={0} max={limit} low={limit * 0.7} high={limit * 0.9} optimum={0} value={Math.min(inUse, limit)}>
      {`${formatNumber(inUse)} of ${formatNumber(limit)}`}
    </meter>
    <p class="note">
      Write limit: {formatNumber(inUse)} of {formatNumber(limit)} messages in the last {WRITE_WINDOW_MS / 1_000} seconds
    </p>
  </div>
);

/** Says that senders are rate-limited, as long as they are. */
export const LimitNotice: FC<{ usage: WriteLimitUsage }> = ({ usage: { limit, inUse, refusals } }) => {
  if (refusals === undefined && inUse < limit) return null;
  return (
    <Notice tone="bad">
      <strong>{inUse < limit ? "Senders are rate-limited." : "The write limit is used up."}</strong>
      <span>
        {refusals === undefined
          ? "Further messages are refused until the oldest of the last 10 seconds are older."
          : `${counted(refusals.messages, "message")} refused since ${timeLabel(refusals.since)} UTC.`}{" "}
        Senders get status 429 and must retry.
      </span>
    </Notice>
  );
};

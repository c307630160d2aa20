/** Live: what came in last and how it was taken, what was rejected and why, and how much may still come. */
import { Hono } from "hono";

import { WRITE_WINDOW_MS } from "../../core/limit/policy.ts";
import { newestArrivals, readTraffic } from "../../services/events.ts";
import { type AppEnv, timed } from "../../edge/context.ts";
import { operation } from "../../edge/request-log.ts";
import { readWriteLimitUsage } from "../../services/limiter.ts";
import { Arrivals } from "./arrivals.tsx";
import { Rejects } from "./rejects.tsx";
import { isSpan, Traffic } from "./traffic.tsx";
import { Page } from "../page.tsx";
import { Card, Heading } from "../parts/parts.tsx";

/** Of messages, and of rejects. */
const SHOWN = 25;
const REFRESH_SECONDS = 2;

export const livePages = new Hono<AppEnv>().get("/", operation("console_live"), async (c) => {
  const workspace = c.get("workspace");
  const asked = c.req.query("span");
  const span = isSpan(asked) ? asked : "hour";
  const now = Date.now();
  const [[arrived, buckets], usage] = await Promise.all([
    timed(c, "databaseMs", () =>
      Promise.all([newestArrivals(c.env, workspace, SHOWN), readTraffic(c.env, workspace, span, now)]),
    ),
    timed(c, "limiterMs", () => readWriteLimitUsage(c.env, workspace.id)),
  ]);
  const refresh = { "data-refresh": REFRESH_SECONDS };
  return c.html(
    <Page c={c} title="Live" tab="live" reloadSeconds={10}>
      <Heading title="Live" lead="The newest messages as they come in, what became of them, and why." />
      <div id="traffic" {...refresh}>
        <Traffic buckets={buckets} usage={usage} span={span} windowSeconds={WRITE_WINDOW_MS / 1_000} />
      </div>
      <div class="live">
        <Card title="Newest messages" lead="Personal data is gone from them already.">
          <div id="arrivals" {...refresh}>
            <Arrivals workspace={workspace} messages={arrived.messages} now={now} />
          </div>
        </Card>
        <Card title="Newest rejects" lead="They were not stored; what could be kept of them is below.">
          <div id="rejects" {...refresh}>
            <Rejects rejections={arrived.rejections} now={now} />
          </div>
        </Card>
      </div>
    </Page>,
  );
});

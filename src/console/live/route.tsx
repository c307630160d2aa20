/** Live: what came in last and how it was taken, what was rejected and why, and how much may still come. */
import { Hono } from "hono";

import { WRITE_WINDOW_MS } from "../../core/limit/policy.ts";
import { newestArrivals } from "../../services/events.ts";
import { type AppEnv, timed } from "../../edge/context.ts";
import { operation } from "../../edge/request-log.ts";
import { askForTraffic } from "../../services/limiter.ts";
import { Arrivals } from "./arrivals.tsx";
import { Rejects } from "./rejects.tsx";
import { isSpan, Traffic } from "./traffic.tsx";
import { Page } from "../layout/page.tsx";
import { Card, Heading } from "../components/elements.tsx";

/** Of messages, and of rejects. */
const SHOWN = 25;
const REFRESH_SECONDS = 2;

export const livePages = new Hono<AppEnv>().get("/", operation("console_live"), async (c) => {
  const workspace = c.get("workspace");
  const asked = c.req.query("span");
  const span = isSpan(asked) ? asked : "hour";
  const [arrived, traffic] = await Promise.all([
    timed(c, "databaseMs", () => newestArrivals(c.env, workspace, SHOWN)),
    timed(c, "limiterMs", () => askForTraffic(c.env, workspace.id)),
  ]);
  const now = Date.now();
  const refresh = { "data-refresh": REFRESH_SECONDS };
  return c.html(
    <Page c={c} title="Live" tab="live" reloadSeconds={10}>
      <Heading title="Live" lead="The newest messages as they come in, what became of them, and why." />
      <div id="traffic" {...refresh}>
        <Traffic traffic={traffic} span={span} windowSeconds={WRITE_WINDOW_MS / 1_000} />
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

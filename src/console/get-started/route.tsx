/** Get started: snippets for sending a first event, and the status of that event. */
import { Hono } from "hono";

import { type AppEnv, timed } from "../../edge/context.ts";
import { operation } from "../../edge/request-log.ts";
import { readFirstArrivals } from "../../services/events.ts";
import { Page } from "../layout/page.tsx";
import { Arrival } from "./arrival.tsx";
import { StartView } from "./start-view.tsx";

/** Without script the whole page reloads, so less often. */
const RELOAD_SECONDS = 5;

export const startPages = new Hono<AppEnv>().get("/", operation("console_start"), async (c) => {
  const workspace = c.get("workspace");
  const now = Date.now();
  const arrivals = await timed(c, "databaseMs", () => readFirstArrivals(c.env, workspace, now));
  const arrival = <Arrival workspace={workspace} arrivals={arrivals} now={now} />;
  return c.html(
    <Page c={c} title="Get started" tab="start" {...(arrivals.stored === null && { reloadSeconds: RELOAD_SECONDS })}>
      <StartView
        workspace={workspace}
        origin={new URL(c.req.url).origin}
        arrival={arrival}
        isRepeated={c.req.query("done") === "created"}
      />
    </Page>,
  );
});

/** The landing page of a workspace: money, renewals, what changed, what to do first, and whether events arrive. */
import { Hono } from "hono";

import { readHome } from "../../db/home/read-home.ts";
import type { AppEnv } from "../../edge/app-context.ts";
import { operation } from "../../edge/request-log.ts";
import { hasScope } from "../../services/workspaces/api-keys.ts";
import { Page } from "../layout/page.tsx";
import { pathOf } from "../paths.ts";
import { HomeView } from "./home-view.tsx";

export const homePages = new Hono<AppEnv>().get("/", operation("console_home"), async (c) => {
  const workspace = c.get("workspace");
  const home = await readHome(c.env, workspace, {
    now: Date.now(),
    withIdentity: hasScope(workspace, "identity"),
  });
  if (!home.hasEvents) return c.redirect(pathOf(workspace, "start"), 303);
  return c.html(
    <Page c={c} title="Home" tab="home">
      <HomeView {...{ workspace, home }} />
    </Page>,
  );
});

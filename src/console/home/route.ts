/** The start page: redirects to the key's workspace, or to the list of workspaces. */
import { Hono } from "hono";

import { type AppEnv, timed } from "../../edge/context.ts";
import { operation } from "../../edge/request-log.ts";
import { findOpened } from "../../services/workspaces/workspaces.ts";
import { pathOf } from "../session/context.ts";
import { endSession } from "../session/cookie.ts";
import { SIGN_IN } from "../session/guards.ts";

export const home = new Hono<AppEnv>().get("/", operation("console_home"), async (c) => {
  const session = c.get("session");
  if (session.by === "admin") return c.redirect("/console/workspaces", 303);
  const opener = { by: "key", keyId: session.keyId } as const;
  const workspace = await timed(c, "databaseMs", () => findOpened(c.env, opener));
  if (workspace !== null) return c.redirect(pathOf(workspace, "inbox"), 303);
  endSession(c);
  return c.redirect(SIGN_IN, 303);
});

/** Where one lands: the one workspace that a key opens, or the list of all. */
import { Hono } from "hono";

import { findOpened } from "../../services/workspaces/workspaces.ts";
import { type AppEnv, timed } from "../../edge/context.ts";
import { operation } from "../../edge/request-log.ts";
import { pathOf } from "../session/context.ts";
import { SIGN_IN } from "../session/guard.ts";
import { endSession } from "../session/cookie.ts";

export const home = new Hono<AppEnv>().get("/", operation("console_home"), async (c) => {
  const session = c.get("session");
  if (session.who === "admin") return c.redirect("/console/workspaces", 303);
  const opener = { by: "key", keyId: session.keyId } as const;
  const workspace = await timed(c, "databaseMs", () => findOpened(c.env, opener));
  if (workspace !== null) return c.redirect(pathOf(workspace, "inbox"), 303);
  endSession(c);
  return c.redirect(SIGN_IN, 303);
});

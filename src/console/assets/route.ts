/** Serves what no static asset answers: during a rollout, pages of another version ask for files with another hash. */
import { Hono } from "hono";

import type { AppEnv } from "../../edge/app-context.ts";
import { CHARTS_PATH, ICON_PATH, SCRIPT_PATH, STYLES_PATH } from "./paths.ts";

const PATHS = [STYLES_PATH, SCRIPT_PATH, CHARTS_PATH, ICON_PATH];

/** `/console/assets/console.7QJ2ZK5A.css` → `/console/assets/console.css` */
const withoutHash = (path: string): string => path.replace(/\.[^.]*(?=\.[^.]*$)/, "");

export const assets = new Hono<AppEnv>().get("/:file", async (c) => {
  const { path } = c.req;
  const current = PATHS.find((each) => withoutHash(each) === withoutHash(path));
  if (current === undefined) return c.notFound();
  if (current !== path) return c.redirect(current);
  const asset = await c.env.ASSETS.fetch(c.req.raw);
  // The headers of a fetched response can't be changed.
  return new Response(asset.body, asset);
});

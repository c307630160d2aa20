/** Serves the style sheet, the script and the icon. Each path contains a hash of the content, so browsers can cache it. */
import { Hono } from "hono";

import accounts from "./accounts.css";
import ask from "./ask.css";
import askScript from "./ask.js.txt";
import base from "./base.css";
import charts from "./charts.css";
import components from "./components.css";
import consoleScript from "./console.js.txt";
import controls from "./controls.css";
import inbox from "./inbox.css";
import live from "./live.css";
import settings from "./settings.css";
import start from "./start.css";

const styles = [base, components, controls, charts, live, accounts, inbox, ask, start, settings].join("\n");
const script = [consoleScript, askScript].join("\n");

const ICON = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 24 24"><rect width="24" height="24" rx="6" fill="#4f46e5"/><path
  d="M4 14h3.5l2.5-7 4 11 2.5-6H20" fill="none" stroke="#fff" stroke-width="2" stroke-linecap="round" stroke-linejoin="round"/></svg>`;

export const STYLES_PATH = `/console/assets/${hashOf(styles)}/console.css`;
export const SCRIPT_PATH = `/console/assets/${hashOf(script)}/console.js`;
export const ICON_PATH = `/console/assets/${hashOf(ICON)}/icon.svg`;

const CACHEABLE_PATHS = new Set([STYLES_PATH, SCRIPT_PATH, ICON_PATH]);

export const assets = new Hono()
  // During a rollout, pages of another version ask for another hash: serve it, but uncached.
  .use(async (c, next) => {
    if (CACHEABLE_PATHS.has(c.req.path)) c.header("Cache-Control", "public, max-age=31536000, immutable");
    await next();
  })
  .get("/:hash/console.css", (c) => c.body(styles, 200, { "Content-Type": "text/css; charset=utf-8" }))
  .get("/:hash/console.js", (c) => c.body(script, 200, { "Content-Type": "text/javascript; charset=utf-8" }))
  .get("/:hash/icon.svg", (c) => c.body(ICON, 200, { "Content-Type": "image/svg+xml" }));

/** Hashes by FNV-1a: synchronous, and good enough to tell versions apart. */
function hashOf(text: string): string {
  let hash = 0x81_1c_9d_c5;
  for (let at = 0; at < text.length; at += 1) hash = Math.imul(hash ^ text.charCodeAt(at), 0x01_00_01_93);
  return (hash >>> 0).toString(36);
}

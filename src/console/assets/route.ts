/** The console's style sheet and script. An address carries a mark of what is in the file, so that browsers may keep it. */
import { Hono } from "hono";

import accounts from "./accounts.css";
import ask from "./ask.css";
import base from "./console.css";
import inbox from "./inbox.css";
import live from "./live.css";
import script from "./console.js.txt";
import settings from "./settings.css";
import start from "./start.css";

const styles = [base, live, accounts, inbox, ask, start, settings].join("\n");

/** The mark of the service, for browsers' tabs and for the bar. */
const ICON = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 24 24"><rect width="24" height="24" rx="6" fill="#4f46e5"/><path
  d="M4 14h3.5l2.5-7 4 11 2.5-6H20" fill="none" stroke="#fff" stroke-width="2" stroke-linecap="round" stroke-linejoin="round"/></svg>`;

export const STYLES = `/console/assets/${markOf(styles)}/console.css`;
export const SCRIPT = `/console/assets/${markOf(script)}/console.js`;
export const ICON_PATH = `/console/assets/${markOf(ICON)}/icon.svg`;

const ADDRESSES = new Set([STYLES, SCRIPT, ICON_PATH]);

export const assets = new Hono()
  // Another mark is that of another version, which runs beside this one for a while: answered, and kept by nobody.
  .use(async (c, next) => {
    if (ADDRESSES.has(c.req.path)) c.header("Cache-Control", "public, max-age=31536000, immutable");
    await next();
  })
  .get("/:mark/console.css", (c) => c.body(styles, 200, { "Content-Type": "text/css; charset=utf-8" }))
  .get("/:mark/console.js", (c) => c.body(script, 200, { "Content-Type": "text/javascript; charset=utf-8" }))
  .get("/:mark/icon.svg", (c) => c.body(ICON, 200, { "Content-Type": "image/svg+xml" }));

/** FNV-1a: all that counts is that another text has another mark. */
function markOf(text: string): string {
  let mark = 0x81_1c_9d_c5;
  for (let at = 0; at < text.length; at += 1) mark = Math.imul(mark ^ text.charCodeAt(at), 0x01_00_01_93);
  return (mark >>> 0).toString(36);
}

/** Recognizes output of `wrangler dev` that users don't need. The Worker's log of other requests and errors pass. */
import { randomUUID } from "node:crypto";

/** Random, so that no other sender can hide its requests with it. */
const OWN_REQUEST_ID = randomUUID();
/** Marks the requests of `npm start` itself, so that their lines in the Worker's log can be hidden. */
export const OWN_REQUEST = { "x-request-id": OWN_REQUEST_ID } as const;

/** On stdout: its setup, the table of bindings, and its own line per request. */
const NOISE =
  /^\s*$|^Cloudflare collects|^Using secrets|^Your Worker has access|^Binding\s+Resource|^env\.\w+ \(|^env\.ASSETS |^\[custom build\] Running|^⎔|^\[wrangler:info\]/;
/** The Worker's log of requests from `npm start` itself. */
const OWN_REQUEST_LINE = `{"requestId":"${OWN_REQUEST_ID}"`;

export function isNoise(line: string): boolean {
  return NOISE.test(line) || line.startsWith(OWN_REQUEST_LINE);
}

/** On stderr: the warning that crons don't fire automatically. `npm start` fires them. */
const CRON_WARNING =
  /^\s*$|Scheduled Workers are not automatically triggered|^\s+To manually trigger a scheduled event|^\s+curl "http.*\/scheduled"|test-cron-triggers-locally/;

export function isCronWarning(line: string): boolean {
  return CRON_WARNING.test(line);
}

/**
 * What `wrangler dev` prints that is no news to whoever ran `npm start`. What the Worker logs of others, and errors, pass.
 */
import { OWN_REQUEST_ID } from "./own-requests.ts";

/** Lines of stdout: its set-up, the table of bindings, and a line per request beside the Worker's own. */
const NOISE =
  /^\s*$|^Cloudflare collects|^Using secrets|^Your Worker has access|^Binding\s+Resource|^env\.\w+ \(|^⎔|^\[wrangler:info\]/;
/** What the Worker logs of the requests that were made to start it. */
const OWN_REQUEST_LINE = `{"requestId":"${OWN_REQUEST_ID}"`;

export function isNoise(line: string): boolean {
  return NOISE.test(line) || line.startsWith(OWN_REQUEST_LINE);
}

/** Lines of stderr: the warning that the cron does not fire by itself, as here it does. */
const CRON_WARNING =
  /^\s*$|Scheduled Workers are not automatically triggered|^\s+To manually trigger a scheduled event|^\s+curl "http.*\/scheduled"|test-cron-triggers-locally/;

export function isCronWarning(line: string): boolean {
  return CRON_WARNING.test(line);
}

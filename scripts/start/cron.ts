/**
 * Fires the Cron Trigger of wrangler.toml: `wrangler dev` runs a cron only when asked to over HTTP.
 *
 * It reserves a path under /cdn-cgi for that, so the Worker gets no route that the deployed one doesn't have.
 */
import { setTimeout as sleep } from "node:timers/promises";

const CRON = "*/5 * * * *";
const CRON_EVERY_MS = 5 * 60_000;

/**
 * Fires at full five minutes, as the platform does, until the signal aborts. Runs don't overlap, and a run that fails
 * doesn't prevent the next one.
 */
export async function fireCron(url: string, signal: AbortSignal): Promise<void> {
  const target = new URL("/cdn-cgi/local/scheduled", url);
  target.search = new URLSearchParams({ cron: CRON, format: "json" }).toString();
  while (!signal.aborted) {
    try {
      await sleep(CRON_EVERY_MS - (Date.now() % CRON_EVERY_MS), undefined, { signal });
      const response = await fetch(target, { signal });
      const answer = await response.text();
      if (!response.ok) console.error(`The cron run failed (${response.status}): ${answer}`);
    } catch (error) {
      if (!signal.aborted) console.error("The cron run could not be started:", error);
    }
  }
}

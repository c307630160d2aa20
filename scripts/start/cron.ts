/**
 * The Cron Trigger of wrangler.toml, on a laptop: `wrangler dev` runs a cron only when it is asked to, over HTTP.
 *
 * The path is the one that wrangler keeps for itself under /cdn-cgi, so the Worker gets no route that it does not
 * have when deployed.
 */
import { setTimeout as sleep } from "node:timers/promises";

const CRON = "*/5 * * * *";
export const CRON_EVERY_MS = 5 * 60_000;

/**
 * Fires at the full five minutes, as the real one does, until the signal aborts. One run at a time.
 * A run that fails is told and the next one comes all the same.
 */
export async function fireCron(url: string, signal: AbortSignal, everyMs: number = CRON_EVERY_MS): Promise<void> {
  const target = new URL("/cdn-cgi/local/scheduled", url);
  target.search = new URLSearchParams({ cron: CRON, format: "json" }).toString();
  while (!signal.aborted) {
    try {
      await sleep(everyMs - (Date.now() % everyMs), undefined, { signal });
      const response = await fetch(target, { signal });
      const answer = await response.text();
      if (!response.ok) console.error(`The cron run failed (${response.status}): ${answer}`);
    } catch (error) {
      if (!signal.aborted) console.error("The cron could not be fired:", error);
    }
  }
}

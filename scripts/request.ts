/** Sends requests that are safe to repeat. */
import { setTimeout as sleep } from "node:timers/promises";

const MAX_ATTEMPTS = 6;
const RETRIED = new Set([429, 500, 503]);
const DEFAULT_PAUSE_SECONDS = 1;
/** Say why nothing happens during longer pauses. */
const LONG_PAUSE_SECONDS = 5;

/**
 * Sends a request, and repeats it while the service is busy, after the pause that `Retry-After` asks for.
 *
 * @returns the first other response, or the last one
 * @throws TypeError when nothing answers; an AbortError when it is canceled
 */
export async function request(url: string, init: RequestInit): Promise<Response> {
  for (let attempt = 1; ; attempt += 1) {
    const response = await fetch(url, init);
    if (attempt === MAX_ATTEMPTS || !RETRIED.has(response.status)) return response;
    await response.body?.cancel();
    const seconds = Number(response.headers.get("retry-after") ?? DEFAULT_PAUSE_SECONDS);
    if (seconds >= LONG_PAUSE_SECONDS)
      console.log(`The service is busy (${response.status}). Retrying in ${seconds} s…`);
    await sleep(seconds * 1_000, undefined, { signal: init.signal ?? undefined });
  }
}

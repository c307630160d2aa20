/**
 * Notices when the service stops answering. wrangler keeps running when one of its workerd processes crashes or hangs:
 * clients that disconnect early leak sockets in its proxy until that happens.
 */
import { setTimeout as sleep } from "node:timers/promises";

import { OWN_REQUEST } from "./noise.ts";

const PROBE_EVERY_MS = 1_000;
/** Longer than several heavy queries one after the other take on a busy laptop: a restart would cut off what others wait for. */
const TIMEOUT_MS = 8_000;
const FAILURES_IN_A_ROW = 3;

/** Resolves when three probes in a row have failed, and rejects when the signal aborts. */
export async function untilUnresponsive(url: string, signal: AbortSignal): Promise<void> {
  for (let failures = 0; failures < FAILURES_IN_A_ROW;) {
    await sleep(PROBE_EVERY_MS, undefined, { signal });
    failures = (await answers(url, signal)) ? 0 : failures + 1;
  }
}

async function answers(url: string, signal: AbortSignal): Promise<boolean> {
  try {
    const response = await fetch(`${url}/healthz`, {
      headers: { ...OWN_REQUEST, connection: "close" },
      signal: AbortSignal.any([signal, AbortSignal.timeout(TIMEOUT_MS)]),
    });
    await response.text();
    return response.ok;
  } catch {
    return false;
  }
}

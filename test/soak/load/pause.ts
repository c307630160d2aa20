import { setTimeout as sleep } from "node:timers/promises";

/** Waits, or until the signal comes. */
export async function pause(ms: number, stop: AbortSignal): Promise<void> {
  await sleep(Math.max(0, ms), undefined, { signal: stop }).catch(() => undefined);
}

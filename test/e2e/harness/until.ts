import { setTimeout as sleep } from "node:timers/promises";

export interface UntilOptions {
  /** Default 10,000. */
  withinMs?: number;
  /** Default 50. */
  everyMs?: number;
  /** What is waited for, for the error's message. */
  what?: string;
}

/**
 * Polls until the condition gives something truthy, which is the answer. A condition that throws is asked again.
 *
 * @throws Error after `withinMs`, with what the condition last threw as its cause
 */
export async function until<T>(
  condition: () => T | Promise<T>,
  { withinMs = 10_000, everyMs = 50, what = "the condition" }: UntilOptions = {},
): Promise<T> {
  const deadline = Date.now() + withinMs;
  for (;;) {
    let cause: unknown;
    try {
      const value = await condition();
      if (value) return value;
    } catch (error) {
      cause = error;
    }
    if (Date.now() >= deadline) throw new Error(`${what} did not come within ${withinMs} ms`, { cause });
    await sleep(everyMs);
  }
}

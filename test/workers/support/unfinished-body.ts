import { expect, vi } from "vitest";

/** Sends a body that never ends, and skips the 30 seconds that the service waits for the rest of a refused one. */
export async function answerTo<T>(send: () => Promise<T>): Promise<T> {
  vi.useFakeTimers({ toFake: ["setTimeout"] });
  try {
    const answer = send();
    await vi.waitFor(() => expect(vi.getTimerCount()).toBeGreaterThan(0));
    await vi.advanceTimersByTimeAsync(30_000);
    return await answer;
  } finally {
    vi.useRealTimers();
  }
}

/**
 * Remembers that a dependency failed, so that calls which can do without it don't wait for it. While it is broken, one call
 * in `pauseMs` tries it, and the others leave it alone. Times are milliseconds by any clock, always the same one.
 *
 * @example
 * if (!breaker.allows(now)) return cached;
 */
export function circuitBreaker(pauseMs: number) {
  let triedAt: number | null = null;

  return {
    /** Asks whether to try the dependency. A clock that steps back ends the pause. */
    allows(now: number): boolean {
      if (triedAt === null) return true;
      const isPaused = now >= triedAt && now < triedAt + pauseMs;
      if (!isPaused) triedAt = now;
      return !isPaused;
    },
    failed(now: number): void {
      triedAt = now;
    },
    succeeded(): void {
      triedAt = null;
    },
  };
}

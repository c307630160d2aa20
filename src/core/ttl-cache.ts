/** What an isolate has looked up, kept for a while so that it need not look again. The oldest goes first. */
export interface ShortMemory<V> {
  /** @param now milliseconds since the epoch */
  recall(name: string, now: number): V | undefined;
  keep(name: string, value: V, now: number): void;
  forget(isMeant: (value: V) => boolean): void;
}

export function shortMemory<V>({ forMs, maxEntries }: { forMs: number; maxEntries: number }): ShortMemory<V> {
  const entries = new Map<string, { value: V; until: number }>();

  /** Those whose time is up, and the oldest where there are too many. */
  function makeRoom(now: number): void {
    for (const [name, { until }] of entries) {
      if (until > now && entries.size < maxEntries) break;
      entries.delete(name);
    }
  }

  return {
    recall(name, now) {
      const entry = entries.get(name);
      return entry !== undefined && entry.until > now ? entry.value : undefined;
    },
    keep(name, value, now) {
      // At the end of the line again, also where it was known.
      entries.delete(name);
      makeRoom(now);
      entries.set(name, { value, until: now + forMs });
    },
    forget(isMeant) {
      for (const [name, { value }] of entries) if (isMeant(value)) entries.delete(name);
    },
  };
}

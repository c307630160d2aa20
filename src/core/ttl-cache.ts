/**
 * Makes a map in memory with a bounded size. It drops expired entries, and the oldest entry when it is full. Times are
 * milliseconds by any clock, always the same one.
 *
 * @example
 * const keys = ttlCache<KeyGrant>({ ttlMs: 30_000, maxEntries: 1_000 });
 */
export function ttlCache<V>({ ttlMs, maxEntries }: { ttlMs: number; maxEntries: number }) {
  const entries = new Map<string, { value: V; setAt: number }>();

  /** A clock that steps back expires the entry too: otherwise it would outlive its TTL. */
  const isFresh = ({ setAt }: { setAt: number }, now: number, maxAgeMs = ttlMs): boolean =>
    now >= setAt && now < setAt + maxAgeMs;

  return {
    get(key: string, now: number, maxAgeMs = ttlMs): V | undefined {
      const entry = entries.get(key);
      return entry !== undefined && isFresh(entry, now, maxAgeMs) ? entry.value : undefined;
    },
    set(key: string, value: V, now: number): void {
      // A map keeps the order in which keys were added: an entry set again moves to the end.
      entries.delete(key);
      for (const [oldest, entry] of entries) {
        if (entries.size < maxEntries && isFresh(entry, now)) break;
        entries.delete(oldest);
      }
      entries.set(key, { value, setAt: now });
    },
    delete: (key: string): void => void entries.delete(key),
    deleteWhere(matches: (value: V) => boolean): void {
      for (const [key, { value }] of entries) if (matches(value)) entries.delete(key);
    },
  };
}

/**
 * Caches the results of a pure function of a text. Senders use few event names and keys, and repeat them.
 *
 * @param maxLength longer texts are not cached
 */
export function memoizeByText<T>(compute: (text: string) => T, maxEntries: number, maxLength: number) {
  // A pure result never expires, so the cache needs no clock.
  const cache = ttlCache<{ result: T }>({ ttlMs: Infinity, maxEntries });
  return (text: string): T => {
    const cached = cache.get(text, 0);
    if (cached !== undefined) return cached.result;
    const result = compute(text);
    if (text.length <= maxLength) cache.set(text, { result }, 0);
    return result;
  };
}

import { ttlCache } from "../ttl-cache.ts";

/**
 * Caches the results of a pure function of a text. Senders use few event names and keys, and repeat them.
 *
 * @param maxLength longer texts are not cached
 */
export function memoize<T>(compute: (text: string) => T, maxEntries: number, maxLength: number): (text: string) => T {
  // A pure result never expires, so the cache needs no clock.
  const cache = ttlCache<{ result: T }>({ ttlMs: Infinity, maxEntries });
  return (text) => {
    const cached = cache.get(text, 0);
    if (cached !== undefined) return cached.result;
    const result = compute(text);
    if (text.length <= maxLength) cache.set(text, { result }, 0);
    return result;
  };
}

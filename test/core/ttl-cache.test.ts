import { expect, it } from "vitest";

import { memoizeByText, ttlCache } from "../../src/core/ttl-cache.ts";

const newCache = () => ttlCache<number>({ ttlMs: 1_000, maxEntries: 3 });
const values = (cache: ReturnType<typeof newCache>, now: number) =>
  ["a", "b", "c", "d"].map((key) => cache.get(key, now));

it("returns a value until its time is up", () => {
  const cache = newCache();
  expect(cache.get("a", 0)).toBeUndefined();
  cache.set("a", 1, 0);
  expect([cache.get("a", 0), cache.get("a", 999), cache.get("a", 1_000)]).toEqual([1, 1, undefined]);
  cache.set("a", 2, 1_000);
  expect(cache.get("a", 1_999)).toBe(2);
});

it("returns an old value only to callers that accept its age", () => {
  const cache = newCache();
  cache.set("a", 1, 0);
  expect([cache.get("a", 99, 100), cache.get("a", 100, 100), cache.get("a", 100)]).toEqual([1, undefined, 1]);
});

it("returns nothing after the clock stepped back", () => {
  const cache = newCache();
  cache.set("a", 1, 5_000);
  expect(cache.get("a", 4_999)).toBeUndefined();
});

it("drops the oldest entry when it is full", () => {
  const cache = newCache();
  for (const [now, key] of ["a", "b", "c", "a", "d"].entries()) cache.set(key, now, now);
  expect(values(cache, 5)).toEqual([3, undefined, 2, 4]);
  cache.set("a", 6, 5);
  expect(values(cache, 5)).toEqual([6, undefined, 2, 4]);
});

it("deletes entries by key and by value", () => {
  const cache = newCache();
  for (const [value, key] of ["a", "b", "c"].entries()) cache.set(key, value, 0);
  cache.deleteWhere((value) => value === 0);
  cache.delete("c");
  expect(values(cache, 1)).toEqual([undefined, 1, undefined, undefined]);
});

it("memoizes short texts, results that are null included", () => {
  let calls = 0;
  const memoized = memoizeByText(() => (calls += 1) && null, 2, 3);
  for (const text of ["abc", "abc", "abcd", "abcd"]) expect(memoized(text)).toBeNull();
  expect(calls).toBe(3);
});

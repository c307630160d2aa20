import { expect, it } from "vitest";

import { shortMemory } from "../../src/core/ttl-cache.ts";

const MEMORY = { forMs: 1_000, maxEntries: 3 };

const recalled = (memory: ReturnType<typeof shortMemory<number>>, now: number) =>
  ["a", "b", "c", "d"].map((name) => memory.recall(name, now));

it("recalls what it keeps until its time is up", () => {
  const memory = shortMemory<number>(MEMORY);
  expect(memory.recall("a", 0)).toBeUndefined();
  memory.keep("a", 1, 0);
  expect(memory.recall("a", 999)).toBe(1);
  expect(memory.recall("a", 1_000)).toBeUndefined();
  memory.keep("a", 2, 1_000);
  expect(memory.recall("a", 1_999)).toBe(2);
});

it("lets the oldest go where there are too many, and what is kept again is not old", () => {
  const memory = shortMemory<number>(MEMORY);
  memory.keep("a", 1, 0);
  memory.keep("b", 2, 1);
  memory.keep("c", 3, 2);
  memory.keep("a", 4, 3);
  memory.keep("d", 5, 4);
  expect(recalled(memory, 5)).toEqual([4, undefined, 3, 5]);
  memory.keep("a", 6, 5);
  expect(recalled(memory, 5)).toEqual([6, undefined, 3, 5]);
});

it("forgets what is meant", () => {
  const memory = shortMemory<number>(MEMORY);
  for (const [value, name] of ["a", "b", "c"].entries()) memory.keep(name, value, 0);
  memory.forget((value) => value !== 1);
  expect(recalled(memory, 1)).toEqual([undefined, 1, undefined, undefined]);
});

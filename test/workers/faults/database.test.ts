/**
 * docs/wire/write-limit.md §7, docs/wire/README.md §8: responses, rows and charges when D1 fails or is slow at a write.
 */
import { afterEach, beforeAll, beforeEach, describe, expect, it, vi } from "vitest";

import { D1_BROKEN, D1_TIMED_OUT, D1_LOST, D1_OVERLOADED, type Trip } from "../support/faulty-env.ts";
import type { TestWorkspace } from "../support/workspace.ts";
import { attempt, charged, newFaultyWorkspace, stateOf, type States, statesOf } from "./attempt.ts";
import { WRITE_OPERATIONS } from "./write-operations.ts";

const T0 = Date.UTC(2100, 0, 1);

/** When a round trip fails, before or after its work is done. */
type Fate = ["before" | "after", message: string];

/** Applies these faults in turn to the write and the trips after it. */
const fated =
  (writesAt: number, fates: Fate[]): Trip =>
  async (run, number) => {
    const [when, message] = fates[number - writesAt] ?? [];
    if (when === "before") throw new Error(message);
    const done = await run();
    if (when === "after") throw new Error(message);
    return done;
  };

interface Fault {
  what: string;
  fates: Fate[];
  status: number;
  stored: boolean;
  /** Whether the charge is kept. */
  kept: boolean;
}

const FAULTS: Fault[] = [
  { what: "does not fail", fates: [], status: 200, stored: true, kept: true },

  { what: "is lost before it", fates: [["before", D1_LOST]], status: 200, stored: true, kept: true },
  { what: "is lost after it", fates: [["after", D1_LOST]], status: 200, stored: true, kept: true },

  { what: "is overloaded", fates: [["before", D1_OVERLOADED]], status: 503, stored: false, kept: false },

  { what: "times out before it", fates: [["before", D1_TIMED_OUT]], status: 503, stored: false, kept: true },
  { what: "times out after it", fates: [["after", D1_TIMED_OUT]], status: 503, stored: true, kept: true },
  { what: "is broken", fates: [["before", D1_BROKEN]], status: 500, stored: false, kept: true },
];

/** Faults of the write and of its retry. */
const TWICE: Fault[] = (
  [
    ["is lost before it, twice", ["before", D1_LOST], ["before", D1_LOST], 503, false],
    ["is lost after it, twice", ["after", D1_LOST], ["after", D1_LOST], 503, true],
    ["is lost before it, and after the retry", ["before", D1_LOST], ["after", D1_LOST], 503, true],
    ["is lost before it, and then overloaded", ["before", D1_LOST], ["before", D1_OVERLOADED], 503, false],
    ["is lost after it, and then overloaded", ["after", D1_LOST], ["before", D1_OVERLOADED], 503, true],
    ["is lost after it, and the retry times out", ["after", D1_LOST], ["before", D1_TIMED_OUT], 503, true],
    ["is lost before it, and the retry times out after it", ["before", D1_LOST], ["after", D1_TIMED_OUT], 503, true],
    ["is lost after it, and then broken", ["after", D1_LOST], ["before", D1_BROKEN], 500, true],
  ] satisfies [string, Fate, Fate, number, boolean][]
).map(([what, first, second, status, stored]) => ({ what, fates: [first, second], status, stored, kept: true }));

beforeEach(() => {
  vi.setSystemTime(T0);
});
afterEach(() => {
  vi.useRealTimers();
});

describe.each(WRITE_OPERATIONS)("§8 $what", (operation) => {
  let states: States;
  let workspace: TestWorkspace;
  beforeAll(async () => {
    vi.setSystemTime(T0);
    states = await statesOf(operation);
  });
  beforeEach(async () => {
    workspace = await newFaultyWorkspace();
  });

  it("§4.4 stores rows, and a repeat stores more only if it can't be deduplicated", () => {
    expect(states.once).not.toEqual(states.before);
    expect(settled(states.twice) === settled(states.once)).toBe(operation.deduplicates);
  });

  it.each([...FAULTS, ...TWICE])("§7 §8 when D1 $what: $status", async ({ fates, status, stored, kept }) => {
    const repeats = fates[0]?.[1] === D1_LOST ? 1 : 0;
    const met = await attempt(workspace, operation, { database: fated(operation.trips, fates) });

    expect(met).toMatchObject({
      status,
      trips: operation.trips + repeats,
      calls: kept ? 1 : 2,
      body: status === 200 ? { ok: true, ...operation.answer } : { ok: false },
    });
    expect(met.headers.get("Retry-After")).toBe(status === 503 ? "1" : null);
    expect(met.headers.get("RateLimit")).toMatch(/^"writes";r=\d+;t=10$/);
    expect(await stateOf(workspace)).toEqual(stored ? states.once : states.before);
    expect(await charged(workspace)).toBe(kept ? operation.cost : 0);

    // The sender may repeat the request after any response.
    const again = await attempt(workspace, operation);
    const { answer, answerToRepeat = answer } = operation;
    expect(again).toMatchObject({ status: 200, body: stored ? answerToRepeat : answer });
    expect(await stateOf(workspace)).toEqual(stored ? states.twice : states.once);
    expect(await charged(workspace)).toBe(operation.cost * (kept ? 2 : 1));
  });
});

/** Returns the state as text without rejected messages, which are counted each time. */
function settled(state: unknown): string {
  return JSON.stringify(state, (name, value: unknown) => (name.startsWith("reject") ? undefined : value));
}

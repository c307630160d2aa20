/**
 * docs/wire/write-limit.md §7, docs/wire/README.md §8: responses, rows and charges when the workspace's Durable Object
 * fails or is slow.
 */
import { afterEach, beforeAll, beforeEach, describe, expect, it, vi } from "vitest";

import { D1_OVERLOADED, failing, objectError, type Trip } from "../support/faulty-env.ts";
import { track } from "../support/messages.ts";
import type { TestWorkspace } from "../support/workspace.ts";
import { attempt, charged, newFaultyWorkspace, stateOf, type States, statesOf } from "./attempt.ts";
import { BATCH, type WriteOperation, WRITE_OPERATIONS } from "./write-operations.ts";

const T0 = Date.UTC(2100, 0, 1);

const LOST = objectError("Network connection lost.", { retryable: true });
const OVERLOADED = objectError("Durable Object is overloaded. Requests queued for too long.", { overloaded: true });
const BOTH = objectError("Durable Object is overloaded. Requests queued for too long.", {
  retryable: true,
  overloaded: true,
});
const UNREACHABLE = objectError("Internal error in Durable Object storage caused object to be reset.", {});

/** When a call fails: before it reaches the object, or after. */
type Fate = ["before" | "after", error: Error];

const LOST_BEFORE: Fate = ["before", LOST];
const LOST_AFTER: Fate = ["after", LOST];

/** Applies these faults in turn to the calls. The first call is the admission. */
const fated =
  (...fates: (Fate | null)[]): Trip =>
  async (run, number) => {
    const [when, error] = fates[number - 1] ?? [];
    if (when === "before") throw error;
    const done = await run();
    if (when === "after") throw error;
    return done;
  };

/** Faults at the admission, and the calls and charges that follow. */
const AT_ADMISSION: [what: string, fates: Fate[], status: number, calls: number, charges: number][] = [
  ["is overloaded", [["before", OVERLOADED]], 503, 1, 0],
  ["is overloaded, though marked as retryable", [["before", BOTH]], 503, 1, 0],
  ["can't be reached", [["before", UNREACHABLE]], 503, 1, 0],
  ["is lost", [LOST_BEFORE], 200, 2, 1],
  ["is lost twice", [LOST_BEFORE, LOST_BEFORE], 503, 2, 0],
  // A lost admission stays charged, because nobody can refund it: the limit admits less than allowed, never more, and
  // the charge expires after 10 s.
  ["is lost once it has admitted", [LOST_AFTER], 200, 2, 2],
  ["is lost once it has admitted, twice", [LOST_AFTER, LOST_AFTER], 503, 2, 2],
  ["is reset once it has admitted", [["after", UNREACHABLE]], 503, 1, 1],
];

beforeEach(() => {
  vi.setSystemTime(T0);
});
afterEach(() => {
  vi.useRealTimers();
});

describe.each(WRITE_OPERATIONS)("§8 $what", (operation) => {
  const { cost } = operation;
  let states: States;
  let workspace: TestWorkspace;
  beforeAll(async () => {
    vi.setSystemTime(T0);
    states = await statesOf(operation);
  });
  beforeEach(async () => {
    workspace = await newFaultyWorkspace();
  });

  it.each(AT_ADMISSION)("§7 §8 when the object %s", async (_what, fates, status, calls, charges) => {
    const met = await attempt(workspace, operation, { object: fated(...fates) });

    const trips = status === 200 ? operation.trips : operation.tripsBeforeAdmission;
    const body = status === 200 ? operation.answer : { ok: false, error: { code: "unavailable" } };
    expect(met).toMatchObject({ status, calls, trips, body });
    expect(met.headers.get("Retry-After")).toBe(status === 503 ? "1" : null);
    expect(await stateOf(workspace)).toEqual(status === 200 ? states.once : states.before);
    expect(await charged(workspace)).toBe(charges * cost);

    if (status === 200) return;
    expect(await attempt(workspace, operation)).toMatchObject({ status: 200, body: operation.answer });
    expect(await stateOf(workspace)).toEqual(states.once);
    expect(await charged(workspace)).toBe((charges + 1) * cost);
  });

  it.each<[what: string, fates: Fate[], calls: number, kept: boolean]>([
    ["is overloaded: keeps the charge", [["before", OVERLOADED]], 2, true],
    ["can't be reached: keeps the charge", [["before", UNREACHABLE]], 2, true],
    ["is lost: keeps the charge", [["before", LOST]], 2, true],
    ["has refunded it, and the answer is lost: charges nothing", [["after", UNREACHABLE]], 2, false],
  ])("§7 §8 when the object fails at a refund and %s", async (_what, fates, calls, kept) => {
    const faults = { database: overloadedWrite(operation), object: fated(null, ...fates) };
    const met = await attempt(workspace, operation, faults);

    expect(met).toMatchObject({ status: 503, calls, trips: operation.trips, body: { error: { code: "unavailable" } } });
    expect(met.headers.get("Retry-After")).toBe("1");
    expect(await stateOf(workspace)).toEqual(states.before);
    expect(await charged(workspace)).toBe(kept ? cost : 0);
  });
});

it("§7 a refund whose answer is lost never reaches another request's charge", async () => {
  const workspace = await newFaultyWorkspace();
  const other = Array.from({ length: 6 }, (_, n) => track({ messageId: `other-${n}` }));
  const database: Trip = async () => {
    await workspace.post("/v1/batch", other);
    throw new Error(D1_OVERLOADED);
  };
  expect((await attempt(workspace, BATCH, { database, object: fated(null, ["after", LOST]) })).status).toBe(503);
  expect(await charged(workspace)).toBe(6);
});

/** Overloads D1 at the round trip that writes. */
function overloadedWrite({ trips }: WriteOperation): Trip {
  return (run, number) => (number === trips ? failing(D1_OVERLOADED)(run, number) : run());
}

/** What is told, stored and charged when the workspace's object fails, for every operation that is charged. */
import { afterEach, beforeAll, beforeEach, describe, expect, it, vi } from "vitest";

import type { IdentifiedWorkspace } from "../identity/identified-workspace.ts";
import { D1_OVERLOADED, failing, objectError, type Trip } from "../support/faulty-env.ts";
import { track } from "../support/messages.ts";
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

/** What becomes of a call: it fails before it reaches the object, or its answer is lost. */
type Fate = ["before" | "after", error: Error];

/** The first call, the admission, and those that follow meet these fates in turn. */
const fated =
  (...fates: (Fate | null)[]): Trip =>
  async (run, number) => {
    const [when, error] = fates[number - 1] ?? [];
    if (when === "before") throw error;
    const done = await run();
    if (when === "after") throw error;
    return done;
  };

interface Fault {
  what: string;
  fates: Fate[];
  status: number;
  calls: number;
  /** How often the operation is charged. */
  times: number;
}

const AT_ADMISSION: Fault[] = [
  { what: "is overloaded", fates: [["before", OVERLOADED]], status: 503, calls: 1, times: 0 },
  { what: "is overloaded, though marked as retryable", fates: [["before", BOTH]], status: 503, calls: 1, times: 0 },
  { what: "can't be reached", fates: [["before", UNREACHABLE]], status: 503, calls: 1, times: 0 },
  { what: "is lost", fates: [["before", LOST]], status: 200, calls: 2, times: 1 },
  {
    what: "is lost twice",
    fates: [
      ["before", LOST],
      ["before", LOST],
    ],
    status: 503,
    calls: 2,
    times: 0,
  },
  {
    what: "is lost, and then overloaded",
    fates: [
      ["before", LOST],
      ["before", OVERLOADED],
    ],
    status: 503,
    calls: 2,
    times: 0,
  },
  // An admission whose answer is lost is charged, and nobody knows the charge to give it back: the limit errs to the
  // side that never admits too much, and the places come free after 10 s.
  { what: "is lost once it has admitted", fates: [["after", LOST]], status: 200, calls: 2, times: 2 },
  {
    what: "is lost once it has admitted, twice",
    fates: [
      ["after", LOST],
      ["after", LOST],
    ],
    status: 503,
    calls: 2,
    times: 2,
  },
  {
    what: "is lost once it has admitted, and then overloaded",
    fates: [
      ["after", LOST],
      ["before", OVERLOADED],
    ],
    status: 503,
    calls: 2,
    times: 1,
  },
  { what: "is reset once it has admitted", fates: [["after", UNREACHABLE]], status: 503, calls: 1, times: 1 },
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
  let workspace: IdentifiedWorkspace;
  beforeAll(async () => {
    vi.setSystemTime(T0);
    states = await statesOf(operation);
  });
  beforeEach(async () => {
    workspace = await newFaultyWorkspace();
  });

  it.each(AT_ADMISSION)("§7 §8 when the object $what: $status", async ({ fates, status, calls, times }) => {
    const met = await attempt(workspace, operation, { object: fated(...fates) });

    const trips = status === 200 ? operation.trips : operation.tripsBeforeAdmission;
    const body = status === 200 ? operation.answer : { ok: false, error: { code: "unavailable" } };
    expect(met).toMatchObject({ status, calls, trips, body });
    expect(met.headers.get("Retry-After")).toBe(status === 503 ? "1" : null);
    expect(await stateOf(workspace)).toEqual(status === 200 ? states.once : states.before);
    expect(await charged(workspace)).toBe(times * cost);

    if (status === 200) return;
    expect(await attempt(workspace, operation)).toMatchObject({ status: 200, body: operation.answer });
    expect(await stateOf(workspace)).toEqual(states.once);
    expect(await charged(workspace)).toBe((times + 1) * cost);
  });

  it.each<[what: string, fates: Fate[], calls: number, stands: boolean]>([
    ["is overloaded: the charge stands", [["before", OVERLOADED]], 2, true],
    ["can't be reached: the charge stands", [["before", UNREACHABLE]], 2, true],
    ["is lost: the charge stands", [["before", LOST]], 2, true],
    ["has done it, and its answer is lost: nothing is charged", [["after", UNREACHABLE]], 2, false],
  ])("§7 §8 when the charge is to be given back and the object %s", async (_what, fates, calls, stands) => {
    const faults = { database: overloadedWrite(operation), object: fated(null, ...fates) };
    const met = await attempt(workspace, operation, faults);

    expect(met).toMatchObject({ status: 503, calls, trips: operation.trips, body: { error: { code: "unavailable" } } });
    expect(met.headers.get("Retry-After")).toBe("1");
    expect(await stateOf(workspace)).toEqual(states.before);
    expect(await charged(workspace)).toBe(stands ? cost : 0);
  });
});

it("§7 what is given back is never another request's, though the answer of it is lost", async () => {
  const workspace = await newFaultyWorkspace();
  const other = Array.from({ length: 6 }, (_, n) => track({ messageId: `other-${n}` }));
  const database: Trip = async () => {
    await workspace.post("/v1/batch", other);
    throw new Error(D1_OVERLOADED);
  };
  expect((await attempt(workspace, BATCH, { database, object: fated(null, ["after", LOST]) })).status).toBe(503);
  expect(await charged(workspace)).toBe(6);
});

/** Overloaded at the round trip that writes. */
function overloadedWrite({ trips }: WriteOperation): Trip {
  return (run, number) => (number === trips ? failing(D1_OVERLOADED)(run, number) : run());
}

/** docs/wire/README.md §8: a slow D1 and a slow object. */
import { beforeEach, describe, expect, it } from "vitest";

import type { Trip } from "../support/faulty-env.ts";
import { track } from "../support/messages.ts";
import type { TestWorkspace } from "../support/workspace.ts";
import { attempt, charged, newFaultyWorkspace } from "./attempt.ts";
import { WRITE_OPERATIONS } from "./write-operations.ts";

let workspace: TestWorkspace;
beforeEach(async () => {
  workspace = await newFaultyWorkspace();
});

/** Holds a round trip or its answer back until `release`. */
function held(at: number, what: "request" | "answer") {
  const reached = Promise.withResolvers<void>();
  const released = Promise.withResolvers<void>();
  const trip: Trip = async (run, number) => {
    if (number !== at) return run();
    const done = what === "answer" ? await run() : null;
    reached.resolve();
    await released.promise;
    return done ?? run();
  };
  return { trip, reached: reached.promise, release: released.resolve };
}

describe.each(WRITE_OPERATIONS)("§8 $what", (operation) => {
  it.each(["request", "answer"] as const)(
    "§8 waits for a late %s of D1, stores once and delays no other request",
    async (what) => {
      const { trip, reached, release } = held(operation.trips, what);
      const waiting = attempt(workspace, operation, { database: trip });
      await reached;

      const other = await workspace.post("/v1/track", track({ messageId: "other", userId: "u9" }));
      expect(other).toMatchObject({ status: 200, body: { stored: 1 } });
      release();
      expect(await waiting).toMatchObject({ status: 200, trips: operation.trips, calls: 1, body: operation.answer });
      expect(await charged(workspace)).toBe(operation.cost + 1);
    },
  );

  it.each(["request", "answer"] as const)(
    "§8 waits for a late %s of the object before it writes, and delays no other request",
    async (what) => {
      const { trip, reached, release } = held(1, what);
      let asked = 0;
      const counting: Trip = (run) => {
        asked += 1;
        return run();
      };
      const waiting = attempt(workspace, operation, { object: trip, database: counting });
      await reached;

      expect(asked).toBe(operation.tripsBeforeAdmission);
      const other = await workspace.post("/v1/track", track({ messageId: "other", userId: "u9" }));
      expect(other).toMatchObject({ status: 200, body: { stored: 1 } });
      release();
      expect(await waiting).toMatchObject({ status: 200, trips: operation.trips, calls: 1, body: operation.answer });
      expect(await charged(workspace)).toBe(operation.cost + 1);
    },
  );
});

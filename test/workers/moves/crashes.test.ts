/**
 * docs/wire/moves.md §9.1: moves whose parts crash at every statement in turn, while the workspace is used and
 * recomputed.
 */
import { env } from "cloudflare:workers";
import * as fc from "fast-check";
import { expect, it } from "vitest";

import { readMove } from "../../../src/db/moves/move-records.ts";
import { continueUserErasures } from "../../../src/db/users/erase-user-rows.ts";
import { finishAgreementChanges } from "../../../src/db/identity/agreement.ts";
import { startMove } from "../../../src/services/moves/move-workspace.ts";
import { ERASE_AFTER_MS, runMove } from "../../../src/services/moves/move-workspace.ts";
import type { KeyGrant } from "../../../src/db/workspaces/api-keys.ts";
import { D1_BROKEN, databaseWith, envWith, limiterWith } from "../support/faulty-env.ts";
import { calm, lateClock, ownRows, TASKS, wait } from "./moving.ts";
import {
  action,
  type Action,
  answerTo,
  contents,
  newTwin,
  NOW,
  perform,
  question,
  type Question,
  whereIs,
} from "./twins.ts";
import { cases } from "../../thorough.ts";

/** Together, this many moves crash at every place. */
const ALL_MOVES = 10;
const MOVES = cases(ALL_MOVES);
const TRIPS_PER_ACTION = 10;
/** Longer than a claim. */
const CRASH_MS = 31_000;

it(
  "§9.1 moves keep what a twin has that never moved, whatever their parts crash at",
  { timeout: 300_000 },
  async () => {
    const step = fc.oneof({ weight: 8, arbitrary: action }, { weight: 1, arbitrary: question });
    const script = fc.array(step, { minLength: 30 * MOVES, maxLength: 30 * MOVES, size: "max" });
    await fc.assert(
      fc.asyncProperty(script, async (actions) => {
        const [mover, twin] = [await newTwin(calm), await newTwin(calm)];
        const use = user(mover, twin, actions);
        for (let moves = 0; moves < MOVES; moves += 1) await moveWithCrashes(mover, use, moves);
        await use.drain();
        await finishAgreementChanges(calm);
        const moved = await whereIs(calm, mover);
        while (!(await continueUserErasures(calm, moved)));
        for (const each of [mover, twin]) await perform(calm, each, { does: "recompute" }, NOW + 86_400_000);
        expect(await contents(calm, moved)).toEqual(await contents(calm, twin.workspace));
        expect(use.refused()).toBeGreaterThan(0);
        expect(use.answers.map(([first]) => first)).toEqual(use.answers.map(([, second]) => second));
        expect(use.answers).not.toEqual([]);
      }),
      { numRuns: 1, endOnFailure: true },
    );
  },
);

/**
 * Moves the workspace to the other database. In the first of ten moves, the parts crash after 1, 11, 21 … round trips, in the
 * second after 2, 12, 22 …, so that all of them together crash after every number of round trips.
 */
async function moveWithCrashes(mover: KeyGrant, use: ReturnType<typeof user>, move: number): Promise<void> {
  const source = await whereIs(calm, mover);
  const [from, to] = source.database === "DB" ? (["DB", "DB_1"] as const) : (["DB_1", "DB"] as const);
  expect(await startMove(calm, source, to, lateClock(), "admin")).toBe("started");
  for (
    let allowed = 1 + Math.floor((move * ALL_MOVES) / MOVES);
    (await readMove(calm, source)) !== null;
    allowed += ALL_MOVES
  ) {
    let trips = 0;
    const trip = async <T>(run: () => Promise<T>): Promise<T> => {
      trips += 1;
      if (trips > allowed) throw new Error(D1_BROKEN);
      if (trips % TRIPS_PER_ACTION === 0) await use.next();
      return run();
    };
    const crashing = envWith({
      TASKS,
      DB: databaseWith(trip).DB,
      DB_1: databaseWith(trip, env.DB_1).DB,
      WRITE_LIMITER: limiterWith(trip).WRITE_LIMITER,
    });
    await runMove(crashing, source, { clock: lateClock }).catch(() => undefined);
    await use.next();
    wait(trips > allowed ? CRASH_MS : ERASE_AFTER_MS);
  }
  expect(await ownRows(source, from)).toEqual({});
  expect((await whereIs(calm, mover)).database).toBe(to);
}

/** Uses the workspace, and its twin as soon as it has acknowledged. What it refuses is sent again, as senders do. */
function user(mover: KeyGrant, twin: KeyGrant, actions: readonly (Action | Question)[]) {
  const waiting: Action[] = [];
  const answers: unknown[][] = [];
  let [place, refused, now] = [0, 0, NOW];
  const next = async (): Promise<void> => {
    const done = waiting.shift() ?? actions[place++ % actions.length];
    if (done === undefined) return;
    now += 1_000;
    if (done.does === "ask") {
      answers.push(await Promise.all([mover, twin].map((each) => answerTo(calm, each, done.text, now))));
      return;
    }
    if (await perform(calm, mover, done, now)) {
      if (!(await perform(calm, twin, done, now))) throw new Error(`the twin refused: ${done.does}`);
    } else if (done.does !== "recompute") {
      refused += 1;
      waiting.unshift(done);
    }
  };
  return {
    next,
    drain: async () => {
      while (waiting.length > 0) await next();
    },
    refused: () => refused,
    answers,
  };
}

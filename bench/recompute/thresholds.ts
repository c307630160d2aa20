/** Compares the figures with their thresholds. */
import { max } from "d3-array";

import { atLeast, atMost, type Threshold } from "../local/table.ts";
import type { RunCost } from "./daily.ts";
import type { FoldFigures } from "./fold.ts";
import type { LargeRun } from "./large.ts";
import { growthOf } from "./heap.ts";

export interface Report {
  fold: FoldFigures;
  runs: RunCost[];
  large: LargeRun[];
}

const MIN_EVENTS_PER_SECOND = 100_000;
/** Rows of a run with 1 % of the accounts due, as a share of a run with all due. */
const MAX_SHARE_OF_ROWS = 0.03;
const MAX_STATEMENT_MS = 1_000;
const MAX_GROWTH = 1.1;
/** D1's limit for an invocation, and the bytes that a run may load at once. */
const MAX_STATEMENTS = 1_000;
const MAX_BYTES = 16 * 2 ** 20;

export function compare({ fold, runs, large }: Report): Threshold[] {
  const costOf = (name: RunCost["name"]) => runs.find((run) => run.name === name)?.cost ?? fold.cost;
  const [full, late] = [costOf("full"), costOf("late")];
  const [slowest] = [fold.cost, ...runs.map(({ cost }) => cost)]
    .flatMap(({ statements }) => statements)
    .toSorted((a, b) => b.slowestMs - a.slowestMs);
  return [
    atLeast("Events folded per second of SQL", Math.round(fold.eventsPerSecond), MIN_EVENTS_PER_SECOND),
    atMost("Rows read with 1 % of the accounts due, against all due", late.rowsRead / full.rowsRead, MAX_SHARE_OF_ROWS),
    atMost("Rows written, the same", late.rowsWritten / full.rowsWritten, MAX_SHARE_OF_ROWS),
    atMost("Slowest statement, ms", slowest?.slowestMs ?? 0, MAX_STATEMENT_MS, slowest?.name),
    atMost("Statements of an invocation, large workspace", max(large, (one) => one.statements) ?? 0, MAX_STATEMENTS),
    atMost("Bytes loaded at once, large workspace", max(large, (one) => one.bytes) ?? 0, MAX_BYTES),
    ...[{ name: "fold", heap: fold.heap }, ...runs].flatMap(({ name, heap }) => {
      const growth = growthOf(heap);
      return growth === null || name === "idle"
        ? []
        : [atMost(`Heap in the second half against the first, ${name}`, growth, MAX_GROWTH)];
    }),
  ];
}

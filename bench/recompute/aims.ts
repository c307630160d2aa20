/** What the figures are held against. Nothing depends on it but a sign in the table. */
import type { RunCost } from "./daily.ts";
import type { FoldFigures } from "./fold.ts";
import { growthOf } from "./memory.ts";

export interface Report {
  fold: FoldFigures;
  runs: RunCost[];
}

export interface Aim {
  name: string;
  found: number;
  side: "at least" | "at most";
  aim: number;
  met: boolean;
  note?: string;
}

const MIN_EVENTS_PER_SECOND = 100_000;
/** Of a run with one account in a hundred due, against one with all of them. */
const MAX_SHARE_OF_ROWS = 0.03;
const MAX_STATEMENT_MS = 1_000;
const MAX_GROWTH = 1.1;

export function aimsOf({ fold, runs }: Report): Aim[] {
  const costOf = (name: RunCost["name"]) => runs.find((run) => run.name === name)?.cost ?? fold.cost;
  const [full, late] = [costOf("full"), costOf("late")];
  const slowest = [fold.cost, ...runs.map(({ cost }) => cost)]
    .map((cost) => cost.slowest)
    .reduce((a, b) => (b.ms > a.ms ? b : a));
  return [
    aim("Events folded a second of SQL", Math.round(fold.eventsPerSecond), "at least", MIN_EVENTS_PER_SECOND),
    aim("Rows read, 1 % of the accounts due against all", late.rowsRead / full.rowsRead, "at most", MAX_SHARE_OF_ROWS),
    aim("Rows written, the same", late.rowsWritten / full.rowsWritten, "at most", MAX_SHARE_OF_ROWS),
    aim("Slowest statement, ms", slowest.ms, "at most", MAX_STATEMENT_MS, slowest.name),
    ...[{ name: "fold", memory: fold.memory }, ...runs].flatMap(({ name, memory }) => {
      const growth = growthOf(memory, "heap");
      return growth === null || name === "idle"
        ? []
        : [aim(`Heap in the second half against the first, ${name}`, growth, "at most", MAX_GROWTH)];
    }),
  ];
}

const aim = (name: string, found: number, side: Aim["side"], than: number, note?: string): Aim => ({
  name,
  found,
  side,
  aim: than,
  met: side === "at least" ? found >= than : found <= than,
  ...(note !== undefined && { note }),
});

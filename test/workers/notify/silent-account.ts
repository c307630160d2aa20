/** An account that falls silent while others go on. */
import { DAY_MS } from "../../../src/core/durations.ts";
import type { WorkspaceRef } from "../../../src/db/client/database.ts";
import { attributes, DAY, event, HOUR_MS, morningOf, run, store } from "../recompute/runs.ts";

const isWorkday = (day: number): boolean => (day + 3) % 7 < 5;

/** Stores events of three users of an account on the workdays from one day to the day before another. */
export async function use(workspace: WorkspaceRef, accountId: string, from: number, to: number): Promise<void> {
  const days = Array.from({ length: to - from }, (_, index) => from + index).filter(isWorkday);
  const events = days.flatMap((day) =>
    ["u1", "u2", "u3"].map((user, index) =>
      event({ accountId, userId: `${accountId}-${user}`, occurredAt: day * DAY_MS + 10 * HOUR_MS + index }),
    ),
  );
  if (events.length > 0) await store(workspace, events, morningOf(to) - 1);
}

const OTHERS = ["beside", "also"];
/** The day after the one on which `acme` counts as silent. */
export const SILENT = DAY + 5;

/** Makes accounts that were all active until the day before `DAY`. */
export async function makeActive(workspace: WorkspaceRef): Promise<WorkspaceRef> {
  for (const accountId of ["acme", ...OTHERS]) await use(workspace, accountId, DAY - 62, DAY);
  await store(workspace, [attributes({ attributes: { mrr: 500, currency: "EUR" }, occurredAt: morningOf(DAY - 30) })]);
  await run(morningOf(DAY));
  return workspace;
}

/** Runs the recompute every morning until one, as the cron does. Only the other accounts are active. */
export async function goSilent(workspace: WorkspaceRef, from: number, to: number): Promise<void> {
  for (let day = from; day <= to; day += 1) {
    for (const accountId of OTHERS) await use(workspace, accountId, day - 1, day);
    await run(morningOf(day));
  }
}

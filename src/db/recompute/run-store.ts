/** The record of runs: what a run did, and that one began which never came to its end. */
import { DAY_MS } from "../../core/durations.ts";
import { holdsLease, type Session } from "./session.ts";

export interface RunStart {
  id: string;
  trigger: "cron" | "admin";
  asOf: number;
  startedAt: number;
}

export interface RunEnd {
  finishedAt: number;
  eventsFolded: number;
  accountsScored: number;
  itemsOpened: number;
  itemsResolved: number;
  eventsDeleted: number;
  rowsRead: number;
  rowsWritten: number;
  complete: boolean;
  fault: string | null;
}

const KEPT_DAYS = 30;

export async function recordStart(session: Session, { id, trigger, asOf, startedAt }: RunStart): Promise<void> {
  await session.batch([
    ["DELETE FROM recompute_runs WHERE started_at < ?1", startedAt - KEPT_DAYS * DAY_MS],
    [
      "INSERT INTO recompute_runs (id, trigger, as_of, started_at) VALUES (?1, ?2, ?3, ?4) ON CONFLICT DO NOTHING",
      id,
      trigger,
      asOf,
      startedAt,
    ],
  ]);
}

/** @returns whether it is complete: not where it lost its lease, since what it sent thereafter changed nothing */
export async function recordEnd(session: Session, id: string, end: RunEnd): Promise<boolean> {
  const [recorded] = await session.batch([
    [
      `
UPDATE recompute_runs SET finished_at = ?2, events_folded = ?3, accounts_scored = ?4, items_opened = ?5, items_resolved = ?6,
  events_deleted = ?7, rows_read = ?8, rows_written = ?9,
  complete = ?10 AND ${holdsLease("?12")}, fault = ?11
WHERE id = ?1
RETURNING complete`,
      id,
      end.finishedAt,
      end.eventsFolded,
      end.accountsScored,
      end.itemsOpened,
      end.itemsResolved,
      end.eventsDeleted,
      end.rowsRead,
      end.rowsWritten,
      end.complete ? 1 : 0,
      end.fault,
      session.holder,
    ],
  ]);
  return recorded?.results[0]?.["complete"] === 1;
}

/** The only place that writes outcomes: health, its history, and inbox items. Only the recompute imports it. */
import { BANDS, CONFIDENCES, type Day, type Health, HEALTH_STATES, type HealthDay } from "../../core/health/model.ts";
import type { InboxItem } from "../../core/inbox/model.ts";
import type { WorkspaceRef } from "../client/database.ts";
import { oneOf } from "../client/stored-codes.ts";
import { writingItems } from "./item-rows.ts";
import { inParts, mayWrite, type Row, type Session } from "./session.ts";

/** What scoring an account came to; only what differs from what is stored. */
export interface AccountOutcome {
  account: number;
  days: readonly HealthDay[];
  health: { health: Health; inputsHash: string } | null;
  items: readonly InboxItem[];
  /** It is superseded: its health goes, and it is not due again once its last day is over. */
  superseded: boolean;
}

export function readDay(row: Row): HealthDay {
  return {
    day: Number(row["day"]),
    state: oneOf(HEALTH_STATES, row["state"]),
    band: row["band"] == null ? null : oneOf(BANDS, row["band"]),
    score: numberOrNull(row["score"]),
    uncapped: numberOrNull(row["uncapped"]),
    coverage: Number(row["coverage"]),
    confidence: row["confidence"] == null ? null : oneOf(CONFIDENCES, row["confidence"]),
    losses: JSON.parse(String(row["losses"])),
  };
}

/**
 * Writes the outcomes and takes the accounts off the list of what is due, in one transaction.
 * @param scoredThrough the last complete day
 * @param dueAt when they are due again, milliseconds since the epoch
 * @returns false where the run may not write any more
 */
export async function writeOutcomes(
  session: Session,
  workspace: WorkspaceRef,
  outcomes: readonly AccountOutcome[],
  { scoredThrough, dueAt }: { scoredThrough: Day; dueAt: number },
): Promise<boolean> {
  const days = outcomes.flatMap(({ account, days: changed }) =>
    changed.map(({ day, state, band, score, uncapped, coverage, confidence, losses }) => [
      account,
      day,
      state,
      band,
      score,
      uncapped,
      coverage,
      confidence,
      JSON.stringify(losses),
    ]),
  );
  const health = outcomes.flatMap(({ account, health: changed }) =>
    changed === null
      ? []
      : [[account, changed.health.state, changed.health.score, JSON.stringify(changed.health), changed.inputsHash]],
  );
  const gone = outcomes.flatMap(({ account, superseded }) => (superseded ? [account] : []));
  const scored = outcomes.map(({ account }) => account);
  const [number, holder] = [workspace.number, session.holder];
  const results = await session.batch([
    ...inParts(days).map((rows) => [UPSERT_DAYS, number, rows, holder] as const),
    ...inParts(health).map((rows) => [UPSERT_HEALTH, number, rows, holder] as const),
    ...(gone.length === 0
      ? []
      : [DELETE_HEALTH, DELETE_DAYS].map((sql) => [sql, number, JSON.stringify(gone), holder] as const)),
    ...writingItems(session, workspace, outcomes),
    [SET_SCORED, number, JSON.stringify(scored), scoredThrough + 1, holder, dueAt, JSON.stringify(gone)],
  ]);
  return (results.at(-1)?.meta.changes ?? 0) > 0;
}

const DAY_COLUMNS = ["state", "band", "score", "uncapped", "coverage", "confidence", "losses"];
const HEALTH_COLUMNS = ["state", "score", "health", "inputs_hash"];

const values = (count: number) => Array.from({ length: count }, (_, place) => `value ->> ${place}`).join(", ");
const replace = (columns: readonly string[]) => `
DO UPDATE SET ${columns.map((column) => `${column} = excluded.${column}`).join(", ")}
WHERE (${columns.join(", ")}) IS NOT (${columns.map((column) => `excluded.${column}`).join(", ")})`;

const UPSERT_DAYS = `
INSERT INTO health_days (account, day, ${DAY_COLUMNS.join(", ")})
SELECT ${values(2 + DAY_COLUMNS.length)} FROM json_each(?2)
WHERE ${mayWrite("?3", "?1")}
ON CONFLICT (account, day) ${replace(DAY_COLUMNS)}`;

const UPSERT_HEALTH = `
INSERT INTO health (workspace, account, ${HEALTH_COLUMNS.join(", ")})
SELECT ?1, ${values(1 + HEALTH_COLUMNS.length)} FROM json_each(?2)
WHERE ${mayWrite("?3", "?1")}
ON CONFLICT (workspace, account) ${replace(HEALTH_COLUMNS)}`;

/** Has all accounts of workspace ?1 judged when they are due, though nothing of their own has changed. */
export const forgettingInputs = (condition: string): string =>
  `UPDATE health SET inputs_hash = '' WHERE workspace = ?1 AND ${condition}`;

const DELETE_HEALTH = `
DELETE FROM health WHERE workspace = ?1 AND account IN (SELECT value FROM json_each(?2)) AND ${mayWrite("?3", "?1")}`;

const DELETE_DAYS = `
DELETE FROM health_days WHERE account IN (SELECT value FROM json_each(?2)) AND ${mayWrite("?3", "?1")}`;

/** One that is superseded is due no more, once its days are condensed: those compare other accounts. */
const SET_SCORED = `
UPDATE activity
SET score_from = ?3, due_at = iif(roll_up_from IS NULL AND account IN (SELECT value FROM json_each(?6)), NULL, ?5)
WHERE workspace = ?1 AND account IN (SELECT value FROM json_each(?2)) AND ${mayWrite("?4", "?1")}`;

const numberOrNull = (value: unknown): number | null => (value == null ? null : Number(value));

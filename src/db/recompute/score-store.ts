/** What scoring reads of the accounts that are due: in one round trip, however many they are. */
import { DAY_MS } from "../../core/durations.ts";
import {
  type AccountHistory,
  type Day,
  type HealthDay,
  MODEL_VERSION,
  type WorkspaceContext,
} from "../../core/health/model.ts";
import type { InboxItem } from "../../core/inbox/model.ts";
import type { WorkspaceRef } from "../client/database.ts";
import { readItem } from "../inbox/item-row.ts";
import { readTimeline } from "./condense-store.ts";
import { daysByAccount, selectDays } from "./history-rows.ts";
import { readDay } from "./outcome-store.ts";
import type { Row, Session } from "./session.ts";

/** An account that is due, as it is stored. */
export interface DueAccount {
  account: number;
  history: AccountHistory;
  /** An account of one that its user has left. */
  superseded: boolean;
  /** The first day to score, no more than `HISTORY_DAYS` back. */
  from: Day;
  /** Rows of the days before that scoring looks back at, and those it may replace. Ascending. */
  days: HealthDay[];
  items: InboxItem[];
  /**
   * What of its own its outcomes are computed from, as text, and the hash of it that the last outcomes were stored with.
   * Contexts are not in it, which are final, nor its outcomes of days before, which followed from the same.
   */
  inputs: string;
  storedHash: string | null;
}

/** So far a run fills or replaces an account's history. */
export const HISTORY_DAYS = 90;
/** So far before the first day to score its rules look: at activity, at who was active, at features, at rows and contexts. */
const LOOK_BACK = { days: 230, users: 170, features: 170, rows: 18, contexts: 30 } as const;
/** An account that was silent for longer is looked at before its silence as well. */
const LONG_SILENCE_DAYS = 100;
const BEFORE_SILENCE_DAYS = 120;
const ENOUGH_EARLIER_DAYS = 10;

/**
 * An item tells what it was last confirmed with. Where that was on a day which is judged anew, all its days are, for
 * what it told before is not kept. Costs nothing where no day is judged anew.
 */
const FIRST_TOLD = `iif(
  EXISTS (SELECT 1 FROM health_days WHERE account = d.account AND day = d.score_from),
  (
    SELECT min(opened_day) FROM inbox_items
    WHERE workspace = ?1 AND account = d.account AND confirmed_day >= d.score_from AND resolution IS NOT 'withdrawn'
  ),
  NULL
)`;

/** ?1 the workspace   ?2 now   ?3 the last complete day   ?4 how many accounts   ?5 days of outages to reach past */
const DUE = `(
  SELECT account, first_at, timeline,
    max(min(score_from, ?3, coalesce(${FIRST_TOLD}, ?3)), ?3 - ${HISTORY_DAYS - 1}) AS from_day
  FROM (
    SELECT account, first_at, timeline, score_from FROM activity
    WHERE workspace = ?1 AND due_at <= ?2
    ORDER BY due_at, account
    LIMIT ?4
  ) d
)`;

/** The first day to read. */
const SINCE = `min(a.from_day - ${LOOK_BACK.days} - ?5, iif(
  EXISTS (SELECT 1 FROM account_days WHERE account = a.account AND day BETWEEN a.from_day - ${LONG_SILENCE_DAYS} AND a.from_day),
  a.from_day,
  coalesce((SELECT max(day) FROM account_days WHERE account = a.account AND day < a.from_day), a.from_day) - ${BEFORE_SILENCE_DAYS}))`;

const BOUNDED = `(SELECT a.*, ${SINCE} AS since FROM ${DUE} a) a`;

const ACCOUNTS = `
SELECT a.account, a.first_at, a.timeline, a.from_day, n.kind, h.inputs_hash,
  n.kind = 'solo' AND EXISTS (
    SELECT 1 FROM users u WHERE u.workspace = ?1 AND u.external_id = n.external_id AND u.account <> n.number
  ) AS superseded,
  (SELECT count(*) FROM (
    SELECT 1 FROM account_days d WHERE d.account = a.account AND d.day < a.since LIMIT ${ENOUGH_EARLIER_DAYS}
  )) AS earlier_days
FROM ${BOUNDED} CROSS JOIN accounts n ON n.number = a.account
LEFT JOIN health h ON h.workspace = ?1 AND h.account = a.account
ORDER BY a.account`;

const DAYS = selectDays(
  `${BOUNDED} CROSS JOIN account_days d ON d.account = a.account AND d.day BETWEEN a.since AND ?3`,
  `a.from_day - ${LOOK_BACK.users} - ?5`,
  `a.from_day - ${LOOK_BACK.features} - ?5`,
);

const ROWS = `
SELECT h.* FROM ${DUE} a CROSS JOIN health_days h ON h.account = a.account AND h.day >= a.from_day - ${LOOK_BACK.rows}
WHERE h.day <= ?3
ORDER BY h.account, h.day`;

const ITEMS = `
SELECT i.* FROM ${DUE} a CROSS JOIN inbox_items i ON i.workspace = ?1 AND i.account = a.account
ORDER BY i.number`;

/**
 * While the sender is out a score is explained by the last day before, however long ago that is, and a drop that caps it
 * by two days more.
 */
const CONTEXTS = `
SELECT context FROM workspace_contexts
WHERE workspace = ?1 AND day <= ?3 AND day >= min(
  coalesce((SELECT min(from_day) FROM ${DUE}), ?3) - ${LOOK_BACK.contexts},
  coalesce((SELECT context ->> '$.silence.lastDay' FROM workspace_contexts WHERE workspace = ?1 AND day = ?3), ?3) - 2
)
ORDER BY day`;

/**
 * The accounts whose turn it is, at most `limit`, with all that scoring them takes. One round trip.
 * @param outageDays of the sender's, which windows reach past
 */
export async function readDue(
  session: Session,
  workspace: WorkspaceRef,
  { now, lastDay, limit, outageDays }: { now: number; lastDay: Day; limit: number; outageDays: number },
): Promise<{ accounts: DueAccount[]; contexts: Map<Day, WorkspaceContext> }> {
  const due = [workspace.number, now, lastDay, limit] as const;
  const [accounts, days, rows, items, contexts] = await session.batch([
    [ACCOUNTS, ...due, outageDays],
    [DAYS, ...due, outageDays],
    [ROWS, ...due],
    [ITEMS, ...due],
    [CONTEXTS, ...due],
  ]);
  const active = daysByAccount(days?.results ?? []);
  const scored = Map.groupBy(rows?.results ?? [], accountOf);
  const noted = Map.groupBy(items?.results ?? [], accountOf);
  const texts = Map.groupBy(days?.results ?? [], accountOf);
  const read = (contexts?.results ?? []).map(({ context }): WorkspaceContext => JSON.parse(String(context)));
  return {
    contexts: new Map(read.map((context) => [context.day, context])),
    accounts: (accounts?.results ?? []).map((row) => {
      const account = accountOf(row);
      const from = Number(row["from_day"]);
      return {
        account,
        history: {
          kind: row["kind"] === "solo" ? "solo" : "company",
          firstDay: Math.floor(Number(row["first_at"]) / DAY_MS),
          days: active.get(account) ?? [],
          earlierDays: Number(row["earlier_days"]),
          attributes: readTimeline(row["timeline"]),
        },
        superseded: row["superseded"] === 1,
        from,
        days: (scored.get(account) ?? []).map((day) => readDay(day)),
        items: (noted.get(account) ?? []).map((item) => readItem(item)),
        inputs: JSON.stringify([
          MODEL_VERSION,
          lastDay,
          row["from_day"],
          row["first_at"],
          row["timeline"],
          row["earlier_days"],
          texts.get(account)?.map((text) => text["days"]),
        ]),
        storedHash: row["inputs_hash"] == null ? null : String(row["inputs_hash"]),
      };
    }),
  };
}

const accountOf = (row: Row): number => Number(row["account"]);

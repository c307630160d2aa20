/**
 * Condenses what was folded into what scoring reads: one row for each complete day of an account, and its attributes as
 * a list of changes. A day is condensed once it is over, not with each fold, so it costs one row written however often
 * the cron ran on that day.
 */
import { MAX_FEATURE_USERS, type AttributeChange, type Day } from "../../core/health/model.ts";
import type { AccountAttributes } from "../../core/ingest/message.ts";
import type { WorkspaceRef } from "../client/database.ts";
import { MAX_DAY_USERS } from "../users/day-users.ts";
import type { StoredAttributes } from "../schema/schema.ts";
import { inParts, mayWrite, type Session } from "./session.ts";

/** An account with days to condense. */
export interface Uncondensed {
  account: number;
  from: Day;
  timeline: AttributeChange[];
  /** By day, from `from` on. */
  observed: AttributeChange[];
}

/** The place in the order of what is due to go on from. */
export interface DuePosition {
  dueAt: number;
  account: number;
}

export const FIRST_DUE: DuePosition = { dueAt: -1, account: -1 };

const DUE = `
SELECT account, due_at, roll_up_from, timeline
FROM activity
WHERE workspace = ?1 AND due_at <= ?2 AND (due_at, account) > (?3, ?4) AND roll_up_from <= ?6
ORDER BY due_at, account
LIMIT ?5`;

/**
 * The next `limit` of the accounts that are due and have complete days to condense.
 * @returns `next` is null once there are no more of them
 */
export async function listUncondensed(
  session: Session,
  workspace: WorkspaceRef,
  { now, lastDay, after, limit }: { now: number; lastDay: Day; after: DuePosition; limit: number },
): Promise<{ accounts: Uncondensed[]; next: DuePosition | null }> {
  const due = [workspace.number, now, after.dueAt, after.account, limit, lastDay] as const;
  const [accounts, observed] = await session.batch([
    [DUE, ...due],
    [
      `
SELECT d.account, d.day, d.attributes
FROM (${DUE}) a CROSS JOIN attribute_days d ON d.account = a.account AND d.day BETWEEN a.roll_up_from AND ?6
ORDER BY d.account, d.day`,
      ...due,
    ],
  ]);
  const byAccount = Map.groupBy(observed?.results ?? [], ({ account }) => Number(account));
  const rows = accounts?.results ?? [];
  const last = rows.at(-1);
  return {
    next:
      last === undefined || rows.length < limit
        ? null
        : { dueAt: Number(last["due_at"]), account: Number(last["account"]) },
    accounts: rows.map((row) => {
      const account = Number(row["account"]);
      return {
        account,
        from: Number(row["roll_up_from"]),
        timeline: readTimeline(row["timeline"]),
        observed: (byAccount.get(account) ?? []).map((day) => observedOn(Number(day["day"]), day["attributes"])),
      };
    }),
  };
}

/**
 * Writes the days of the accounts from theirs up to `lastDay`, and their attributes as they come to.
 * @param timelines by account; only of those whose changed
 */
export async function condense(
  session: Session,
  workspace: WorkspaceRef,
  accounts: readonly Uncondensed[],
  timelines: ReadonlyMap<number, readonly AttributeChange[]>,
  lastDay: Day,
): Promise<void> {
  const stretches = JSON.stringify(accounts.map(({ account, from }) => [account, from]));
  const changed = [...timelines].map(([account, changes]) => [
    account,
    changes.map(({ day, values }) => [day, values]),
  ]);
  await session.batch([
    [CONDENSE_DAYS, workspace.number, stretches, lastDay, session.holder],
    ...inParts(changed).map((part) => [SET_TIMELINES, workspace.number, part, session.holder] as const),
    [SET_CONDENSED, workspace.number, stretches, lastDay, session.holder],
  ]);
}

const STRETCH =
  "json_each(?2) c CROSS JOIN rollups r ON r.account = c.value ->> 0 AND r.day BETWEEN c.value ->> 1 AND ?3";

const CONDENSE_DAYS = `
INSERT INTO account_days (account, day, events, user_days, users, features)
SELECT f.account, f.day, f.events, coalesce(u.user_days, 0), coalesce(u.users, '[]'), f.features
FROM (
  SELECT account, day, sum(events) AS events, json_group_object(event, json_array(events, json(users))) AS features
  FROM (
    SELECT account, day, event, events, iif(count <= ${MAX_FEATURE_USERS}, users,
      json_array(${Array.from({ length: MAX_FEATURE_USERS }, (_, place) => `users ->> ${place}`).join(", ")})) AS users
    FROM (
      SELECT r.account, r.day, r.event, sum(r.count) AS events, count(nullif(r.user, 0)) AS count,
        json_group_array(r.user ORDER BY r.user) FILTER (WHERE r.user > 0) AS users
      FROM ${STRETCH}
      GROUP BY r.account, r.day, r.event
      ORDER BY r.account, r.day, r.event
    )
  )
  GROUP BY account, day
) f
LEFT JOIN (
  SELECT account, day, count(*) AS user_days, json_group_array(user) FILTER (WHERE place <= ${MAX_DAY_USERS}) AS users
  FROM (
    SELECT account, day, user, row_number() OVER (PARTITION BY account, day ORDER BY user) AS place
    FROM (SELECT DISTINCT r.account, r.day, r.user FROM ${STRETCH} WHERE r.user > 0)
  )
  GROUP BY account, day
) u ON u.account = f.account AND u.day = f.day
WHERE ${mayWrite("?4", "?1")}
ON CONFLICT (account, day) DO UPDATE
SET events = excluded.events, user_days = excluded.user_days, users = excluded.users, features = excluded.features
WHERE (events, user_days, users, features) IS NOT (excluded.events, excluded.user_days, excluded.users, excluded.features)`;

/**
 * Inserts nothing: all of the rows are there. An UPDATE … FROM would say the same, but leaves the order to the planner,
 * which passes over all accounts of the workspace for it.
 */
const SET_TIMELINES = `
INSERT INTO activity (workspace, account, first_at, timeline, score_from)
SELECT a.workspace, a.account, a.first_at, t.value -> 1, a.score_from
FROM json_each(?2) t CROSS JOIN activity a ON a.workspace = ?1 AND a.account = t.value ->> 0
WHERE ${mayWrite("?3", "?1")}
ON CONFLICT (workspace, account) DO UPDATE SET timeline = excluded.timeline`;

/** Events of the day that is not over yet, or of a later one, are there to be condensed tomorrow. */
const SET_CONDENSED = `
UPDATE activity SET roll_up_from = (
  SELECT min(day) FROM (
    SELECT min(r.day) AS day FROM rollups r WHERE r.account = activity.account AND r.day > ?3
    UNION ALL
    SELECT min(d.day) FROM attribute_days d WHERE d.account = activity.account AND d.day > ?3
  )
)
WHERE workspace = ?1 AND account IN (SELECT value ->> 0 FROM json_each(?2)) AND ${mayWrite("?4", "?1")}`;

export function readTimeline(text: unknown): AttributeChange[] {
  const entries: [Day, AccountAttributes][] = JSON.parse(String(text));
  return entries.map(([day, values]) => ({ day, values }));
}

/** A sender may write pages where the name of a plan is meant, and others each day. */
const MAX_TEXT_CHARACTERS = 200;

function observedOn(day: Day, text: unknown): AttributeChange {
  const stored: StoredAttributes = JSON.parse(String(text));
  const values = Object.entries(stored).map(([name, [value]]) => [
    name,
    typeof value === "string" ? value.slice(0, MAX_TEXT_CHARACTERS) : value,
  ]);
  return { day, values: Object.fromEntries(values) };
}

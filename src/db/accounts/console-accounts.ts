/**
 * The console's list of accounts: a page of accounts with their recent scores, active users and open items. A page is one
 * statement, which reads days only for the accounts of the page.
 */
import { asc, eq, type SQL, sql } from "drizzle-orm";
import { alias } from "drizzle-orm/sqlite-core";

import { foldName } from "../../core/ask/names.ts";
import { DAY_MS } from "../../core/durations.ts";
import { type Day, HEALTH_STATES, type HealthState } from "../../core/health/model.ts";
import { type AccountFilter, pageQuery, type StoredAccount, toAccount } from "./list-accounts.ts";
import { unfoldedEvents } from "./unfolded-events.ts";
import { databaseOf, type WorkspaceRef } from "../client/database.ts";
import { withRetry } from "../client/faults.ts";
import { isAgreed } from "../identity/agreement-sql.ts";
import { asOfQuery } from "../recompute/runs.ts";
import { accountDays, accounts, health, healthDays, inboxItems, inboxMarks, names } from "../schema/schema.ts";
import type { SortPosition } from "../client/sort-position.ts";

export interface ConsoleAccount extends StoredAccount {
  /** The scores of the last scored days, ascending; `null` for a day without a score. */
  scores: { day: Day; score: number | null }[];
  /** Distinct, on the last complete days. */
  activeUsers: number;
  /** Neither resolved, dismissed nor snoozed. */
  openItems: number;
  position: SortPosition;
}

export interface ConsoleAccounts {
  accounts: ConsoleAccount[];
  /** How many scored accounts of the workspace are in each state. */
  states: Partial<Record<HealthState, number>>;
  asOf: number | null;
}

interface ConsoleFilter extends AccountFilter {
  /** Part of an id or a name; empty for all accounts. */
  search: string;
  /** Days count back from this time, in milliseconds since the epoch. */
  now: number;
}

export const SCORE_DAYS = 30;
export const ACTIVE_DAYS = 28;

const d = alias(accountDays, "d");
const hd = alias(healthDays, "hd");
const i = alias(inboxItems, "i");
const m = alias(inboxMarks, "m");
const n = alias(names, "n");

/** Counts in one pass: GROUP BY would read each row twice. */
const countedStates = Object.fromEntries(
  HEALTH_STATES.map((state) => [state, sql<number>`count(*) FILTER (WHERE ${health.state} = ${state})`.as(state)]),
);

export async function readConsoleAccounts(
  env: Env,
  workspace: WorkspaceRef,
  { search, now, ...filter }: ConsoleFilter,
): Promise<ConsoleAccounts> {
  const db = databaseOf(env, workspace);
  const today = Math.floor(now / DAY_MS);
  const matching = search === "" ? undefined : matchesSearch(workspace, search, filter.withIdentity);
  const page = db.$with("page").as(pageQuery(db, workspace, filter, matching));
  const [rows, [states], [run]] = await withRetry(() =>
    db.batch([
      db
        .with(page)
        .select({
          number: page.number,
          id: page.id,
          externalId: page.externalId,
          kind: page.kind,
          attributes: page.attributes,
          createdAt: page.createdAt,
          firstAt: page.firstAt,
          // SQLite's max() of two arguments is NULL if one of them is.
          lastEventAt: sql<
            number | null
          >`max(coalesce(${page.lastEventAt}, tail.at), coalesce(tail.at, ${page.lastEventAt}))`.as("latest"),
          health: page.health,
          identity: page.identity,
          sortValue: page.sortValue,
          scores: sql<string>`(SELECT json_group_array(json_array(${hd.day}, ${hd.score})) FROM ${healthDays} hd
            WHERE ${hd.account} = page.number AND ${hd.day} >= ${today - SCORE_DAYS})`.as("scores"),
          activeUsers:
            sql<number>`(SELECT count(DISTINCT u.value) FROM ${accountDays} d CROSS JOIN json_each(${d.users}) u
            WHERE ${d.account} = page.number AND ${d.day} BETWEEN ${today - ACTIVE_DAYS} AND ${today - 1})`.as(
              "active_users",
            ),
          openItems:
            sql<number>`(SELECT count(*) FROM ${inboxItems} i LEFT JOIN ${inboxMarks} m ON ${m.item} = ${i.number}
            WHERE ${i.workspace} = ${workspace.number} AND ${i.account} = page.number AND ${i.resolvedDay} IS NULL
              AND ${m.dismissedAt} IS NULL AND coalesce(${m.snoozedUntil}, 0) <= ${now})`.as("open_items"),
        })
        .from(page)
        .leftJoin(
          sql`(SELECT account, max(at) AS at FROM (${unfoldedEvents(workspace)}) GROUP BY account) AS tail`,
          sql`tail.account = page.number`,
        )
        .orderBy(asc(page.sortText), asc(page.sortValue), asc(page.number)),
      db.select(countedStates).from(health).where(eq(health.workspace, workspace.number)),
      asOfQuery(db, workspace),
    ]),
  );
  return {
    accounts: rows.map(({ sortValue, scores, activeUsers, openItems, ...row }) => ({
      ...toAccount(row),
      scores: readScores(scores),
      activeUsers,
      openItems,
      position: [sortValue, row.number],
    })),
    states: states ?? {},
    asOf: run?.asOf ?? null,
  };
}

function readScores(column: string): ConsoleAccount["scores"] {
  const days: [day: Day, score: number | null][] = JSON.parse(column);
  // Sorted here: SQLite would read each row twice to sort them.
  return days.map(([day, score]) => ({ day, score })).toSorted((a, b) => a.day - b.day);
}

/**
 * Matches accounts whose external id contains the text, or whose id or company name has a word that starts with it,
 * whatever its case, accents and punctuation. Reads only the names of each account itself.
 * @param withIdentity whether company names match
 */
function matchesSearch({ number }: WorkspaceRef, text: string, withIdentity: boolean): SQL {
  // Ids of erased accounts begin with a control character.
  const byId = sql`${accounts.externalId} >= ' ' AND instr(lower(${accounts.externalId}), lower(${text})) > 0`;
  const words = foldName(text);
  if (words === "") return sql`(${byId})`;
  const sources = withIdentity
    ? sql`${n.source} = 'external_id' OR ${n.source} = 'company' AND ${sql.raw(isAgreed(String(number)))}`
    : sql`${n.source} = 'external_id'`;
  return sql`(${byId} OR EXISTS (SELECT 1 FROM ${names} n WHERE ${n.workspace} = ${number} AND ${n.kind} = 'account'
    AND ${n.subject} = ${accounts.number} AND (${sources}) AND instr(' ' || ${n.key}, ${` ${words}`}) > 0))`;
}

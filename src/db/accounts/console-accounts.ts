/**
 * Reads pages of the console's account list, with recent scores, active users and open items. One statement reads a
 * page, and reads days only for the accounts on it.
 */
import { and, count, eq, type SQL, sql } from "drizzle-orm";
import { alias, QueryBuilder } from "drizzle-orm/sqlite-core";

import { foldName } from "../../core/ask/normalize-names.ts";
import { DAY_MS } from "../../core/durations.ts";
import { type Day, HEALTH_STATES, type HealthState } from "../../core/health/model.ts";
import { type AccountFilter, pageQuery } from "./list-accounts.ts";
import { tailEvents } from "../ask/tail.ts";
import type { WorkspaceRef } from "../client/database.ts";
import { readQueries } from "../client/read.ts";
import { isAgreed } from "../identity/agreement-sql.ts";
import { inStatus } from "../inbox/list-items.ts";
import { asOfQuery } from "../recompute/runs.ts";
import { accountDays, accounts, health, healthDays, inboxItems, inboxMarks, names } from "../schema/schema.ts";

export type ConsoleAccounts = Awaited<ReturnType<typeof readConsoleAccounts>>;

interface ConsoleFilter extends AccountFilter {
  /** Part of an id or a name; empty for all accounts. */
  search: string;
  /** Days count back from this time, in milliseconds since the epoch. */
  now: number;
}

export const SCORE_DAYS = 30;
export const ACTIVE_DAYS = 28;

const accountDay = alias(accountDays, "accountDay");
const healthDay = alias(healthDays, "healthDay");
const name = alias(names, "name");

/** Counts in one pass: GROUP BY would read each row twice. */
const countedStates = Object.fromEntries(
  HEALTH_STATES.map((state) => [state, sql<number>`count(*) FILTER (WHERE ${health.state} = ${state})`.as(state)]),
);

export async function readConsoleAccounts(
  env: Env,
  workspace: WorkspaceRef,
  { search, now, ...filter }: ConsoleFilter,
) {
  const today = Math.floor(now / DAY_MS);
  const matching = search === "" ? undefined : matchesSearch(workspace, search, filter.withIdentity);
  const openItems = new QueryBuilder()
    .select({ count: count() })
    .from(inboxItems)
    .leftJoin(inboxMarks, eq(inboxMarks.item, inboxItems.number))
    .where(
      and(eq(inboxItems.workspace, workspace.number), eq(inboxItems.account, accounts.number), inStatus("open", now)),
    );
  const columns = {
    scores: sql`(SELECT json_group_array(json_object('day', ${healthDay.day}, 'value', ${healthDay.score}))
      FROM ${healthDays} "healthDay"
      WHERE ${healthDay.account} = ${accounts.number} AND ${healthDay.day} >= ${today - SCORE_DAYS})`
      .mapWith(readScores)
      .as("scores"),
    /** Distinct users on the last complete days. */
    activeUsers: sql<number>`(SELECT count(DISTINCT active.value)
      FROM ${accountDays} "accountDay" CROSS JOIN json_each(${accountDay.users}) active
      WHERE ${accountDay.account} = ${accounts.number}
        AND ${accountDay.day} BETWEEN ${today - ACTIVE_DAYS} AND ${today - 1})`.as("active_users"),
    openItems: sql<number>`${openItems}`.as("open_items"),
  };
  const [page, [states], [run]] = await readQueries(env, workspace, (db) => [
    pageQuery(db, workspace, { ...filter, unfoldedAt: sql`tail.at` }, columns, matching).leftJoin(
      sql.raw(
        `(SELECT account, max(at) AS at FROM (${tailEvents(String(workspace.number))}) GROUP BY account) AS tail`,
      ),
      sql`tail.account = ${accounts.number}`,
    ),
    db.select(countedStates).from(health).where(eq(health.workspace, workspace.number)),
    asOfQuery(db, workspace),
  ]);
  /** The number of the workspace's scored accounts in each state. */
  const counts: Partial<Record<HealthState, number>> = states ?? {};
  return { accounts: page, states: counts, asOf: run?.asOf ?? null };
}

/** The scores of the last scored days, ascending; `null` for a day without a score. */
function readScores(json: string) {
  const scores: { day: Day; value: number | null }[] = JSON.parse(json);
  // SQLite would read each row twice to sort them.
  return scores.toSorted((a, b) => a.day - b.day);
}

/**
 * Matches accounts whose external id contains the text, or whose id or company name has a word that starts with it,
 * ignoring case, accents and punctuation. Reads only the names of the accounts themselves.
 * @param withIdentity whether company names match
 */
function matchesSearch({ number }: WorkspaceRef, text: string, withIdentity: boolean): SQL {
  // Ids of erased accounts begin with a control character.
  const byId = sql`${accounts.externalId} >= ' ' AND instr(lower(${accounts.externalId}), lower(${text})) > 0`;
  const words = foldName(text);
  if (words === "") return sql`(${byId})`;
  const sources = withIdentity
    ? sql`${name.source} = 'external_id' OR ${name.source} = 'company' AND ${sql.raw(isAgreed(String(number)))}`
    : sql`${name.source} = 'external_id'`;
  return sql`(${byId} OR EXISTS (SELECT 1 FROM ${names} name WHERE ${name.workspace} = ${number} AND ${name.kind} = 'account'
    AND ${name.subject} = ${accounts.number} AND (${sources}) AND instr(' ' || ${name.key}, ${` ${words}`}) > 0))`;
}

/** Reads the accounts that are new, with the days on which they began to use the product. */
import { and, desc, eq, gte, inArray, lte, sql } from "drizzle-orm";

import { DAY_MS } from "../../core/durations.ts";
import type { Day } from "../../core/health/model.ts";
import type { WorkspaceRef } from "../client/database.ts";
import { readQueries } from "../client/read.ts";
import type { SortPosition } from "../client/sort-position.ts";
import { accountDays, accountProgress, accounts, workspaceContexts } from "../schema/schema.ts";
import { activeUsersColumns } from "./account-conditions.ts";
import { accountsQuery, isNotSuperseded } from "./list-accounts.ts";

/** An account is new for so many days after its first message. */
export const NEW_DAYS = 90;
/** Further users of an account are no progress to wait for. */
const MAX_FIRST_DAYS = 200;
/** The most users, and features, by day that are read for each account, from its first day on. */
const MAX_READ = 2_000;
/** The same for its active users. A page stays within what a question may read (`MAX_READ_UNITS`). */
const MAX_ACTIVE_READ = 3_000;

interface NewAccountsRequest {
  today: Day;
  /** Only accounts that are at least so many days old. */
  minAge: number;
  /** The position of the last row on the previous page. */
  after: SortPosition | null;
  limit: number;
  withIdentity: boolean;
}

/** The first day of each key of a JSON column of the days, ascending. */
const firstDays = (key: string, column: "users" | "features", where = sql`TRUE`) =>
  sql`(SELECT json_group_array(first ORDER BY first) FROM (SELECT min(day) AS first
      FROM (SELECT days.day, ${sql.raw(`entry.${key}`)} AS entry FROM ${accountDays} days CROSS JOIN json_each(${sql.raw(`days.${column}`)}) entry
        WHERE days.account = ${accounts.number} ORDER BY days.day LIMIT ${MAX_READ})
      WHERE ${where} GROUP BY entry ORDER BY first LIMIT ${MAX_FIRST_DAYS}))`.mapWith(readDays);

/** Reads a page, the newest first. It reads the first message of every account, and the days of those on the page. */
export async function readNewAccounts(
  env: Env,
  workspace: WorkspaceRef,
  { today, minAge, after, limit, withIdentity }: NewAccountsRequest,
) {
  const { number } = workspace;
  const coreFeatures = sql`(SELECT json_extract(context, '$.coreFeatures') FROM ${workspaceContexts}
    WHERE workspace = ${number} ORDER BY day DESC LIMIT 1)`;
  const columns = {
    firstEventDay:
      sql<Day | null>`(SELECT min(days.day) FROM ${accountDays} days WHERE days.account = ${accounts.number})`.as(
        "first_event_day",
      ),
    userDays: firstDays("value", "users").as("user_days"),
    featureDays: firstDays(
      "key",
      "features",
      sql`entry IN (SELECT CAST(value & 0xffffffff AS TEXT) FROM json_each(${coreFeatures}))`,
    ).as("feature_days"),
    ...activeUsersColumns(workspace, today, MAX_ACTIVE_READ),
  };
  const [page, [context]] = await readQueries(env, workspace, (db) => [
    accountsQuery(db, workspace, { withIdentity }, columns)
      .where(
        inArray(
          accounts.number,
          db
            .select({ account: accountProgress.account })
            .from(accountProgress)
            .innerJoin(accounts, eq(accounts.number, accountProgress.account))
            .where(
              and(
                eq(accountProgress.workspace, number),
                gte(accountProgress.firstAt, (today - NEW_DAYS) * DAY_MS),
                lte(accountProgress.firstAt, (today - minAge + 1) * DAY_MS - 1),
                after === null
                  ? undefined
                  : sql`(${accountProgress.firstAt}, ${accountProgress.account}) < (${after[0]}, ${after[1]})`,
                isNotSuperseded,
              ),
            )
            .orderBy(desc(accountProgress.firstAt), desc(accountProgress.account))
            .limit(limit),
        ),
      )
      .orderBy(desc(accountProgress.firstAt), desc(accounts.number)),
    db
      .select({ coreFeatures: sql<number>`coalesce(json_array_length(${coreFeatures}), 0)`.as("core") })
      .from(sql`(SELECT 1)`),
  ]);
  return { accounts: page, coreFeatures: context?.coreFeatures ?? 0 };
}

const readDays = (json: string): Day[] => JSON.parse(json);

export type NewAccount = Awaited<ReturnType<typeof readNewAccounts>>["accounts"][number];

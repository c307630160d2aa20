/** Reads the console's page of a user in one round trip. It seeks the user's rollups by account and day, which have no other index. */
import { and, desc, eq, sql } from "drizzle-orm";
import { QueryBuilder } from "drizzle-orm/sqlite-core";

import { DAY_MS } from "../../core/durations.ts";
import type { Day } from "../../core/health/model.ts";
import { EVENT_DAYS } from "../accounts/account-details.ts";
import { traitsQuery } from "../accounts/subjects.ts";
import { tailEvents } from "../ask/tail.ts";
import type { WorkspaceRef } from "../client/database.ts";
import { readQueries } from "../client/read.ts";
import { newestEventsQuery } from "../events/newest-events.ts";
import { identityColumn } from "../identity/read-identity.ts";
import { accounts, eventNames, rollups, userAccounts, users } from "../schema/schema.ts";
import { shownIdOf } from "./erased-ids.ts";

export type UserPageDetails = NonNullable<Awaited<ReturnType<typeof readUserPage>>>;

/** The accounts in which the user was active last. */
const MAX_ACCOUNTS = 20;
const MAX_FEATURES = 30;

/** @param id internal @param from the first day to count @returns `null` for an unknown user */
export async function readUserPage(
  env: Env,
  workspace: WorkspaceRef,
  id: string,
  { now, withIdentity, from }: { now: number; withIdentity: boolean; from: Day },
) {
  const today = Math.floor(now / DAY_MS);
  const number = sql`${new QueryBuilder()
    .select({ number: users.number })
    .from(users)
    .where(and(eq(users.workspace, workspace.number), eq(users.id, id)))}`;
  const own = sql`(SELECT ${userAccounts.account}, ${userAccounts.firstDay}, ${userAccounts.lastDay} FROM ${userAccounts}
    WHERE ${userAccounts.user} = ${number} ORDER BY ${userAccounts.lastDay} DESC LIMIT ${MAX_ACCOUNTS})`;
  const days = sql`(WITH RECURSIVE series (day) AS (SELECT ${from} UNION ALL SELECT day + 1 FROM series WHERE day < ${today})
    SELECT day FROM series)`;
  const uses = sql`(
    SELECT ${rollups.day}, ${eventNames.name} AS event, ${rollups.count}, ${rollups.lastAt}
    FROM ${own} own CROSS JOIN ${days} series ON series.day BETWEEN own.first_day AND own.last_day
    CROSS JOIN ${rollups} ON ${rollups.account} = own.account AND ${rollups.day} = series.day AND ${rollups.user} = ${number}
    JOIN ${eventNames} ON ${eventNames.number} = ${rollups.event}
    UNION ALL SELECT day, event, 1, at FROM (${sql.raw(tailEvents(String(workspace.number)))})
    WHERE user = ${number} AND day >= ${from}) AS uses`;
  const [[user], memberships, byDay, features, traits, events] = await readQueries(env, workspace, (db) => [
    db
      .select({
        id: users.id,
        externalId: shownIdOf(users.externalId).as("external_id"),
        createdAt: users.createdAt,
        identity: identityColumn(workspace, "user", users.number, withIdentity),
      })
      .from(users)
      .where(sql`${users.number} = ${number}`),
    db
      .select({
        id: accounts.id,
        externalId: shownIdOf(accounts.externalId).as("external_id"),
        identity: identityColumn(workspace, "account", accounts.number, withIdentity),
        firstDay: sql<Day | null>`own.first_day`.as("first_day"),
        lastDay: sql<Day | null>`own.last_day`.as("last_day"),
        isCurrent: sql`${accounts.number} = ${users.account}`.mapWith(Boolean).as("is_current"),
      })
      .from(users)
      .leftJoin(sql`${own} own`, sql`TRUE`)
      .innerJoin(accounts, sql`${accounts.number} IN (own.account, ${users.account})`)
      .where(sql`${users.number} = ${number}`)
      .groupBy(accounts.number)
      .orderBy(desc(sql`is_current`), desc(sql`last_day`)),
    db
      .select({ day: sql<Day>`day`.as("use_day"), count: sql<number>`sum(count)`.as("total") })
      .from(uses)
      .groupBy(sql`day`)
      .orderBy(sql`day`),
    db
      .select({
        name: sql<string>`event`.as("event_name"),
        count: sql<number>`sum(iif(day > ${today - EVENT_DAYS}, count, 0))`.as("total"),
        before: sql<number>`sum(iif(day BETWEEN ${today - 2 * EVENT_DAYS + 1} AND ${today - EVENT_DAYS}, count, 0))`.as(
          "total_before",
        ),
        lastAt: sql<number>`max(last_at)`.as("latest"),
      })
      .from(uses)
      .groupBy(sql`event`)
      .orderBy(desc(sql`total`), desc(sql`latest`), sql`event`)
      .limit(MAX_FEATURES),
    traitsQuery(db, "user", number),
    newestEventsQuery(db, workspace, { user: number }),
  ]);
  if (user === undefined) return null;
  return {
    ...user,
    accounts: memberships,
    /** The days with events, ascending. */
    days: byDay,
    /** The most frequent of the last `EVENT_DAYS` first. */
    features,
    traits: Object.fromEntries(traits.map(({ key, value }) => [key, value])),
    events,
  };
}

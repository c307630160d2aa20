/** Reads all that the console shows about an account, in one round trip. Includes events that are not folded yet. */
import { and, asc, desc, eq, type SQL, sql } from "drizzle-orm";
import { alias } from "drizzle-orm/sqlite-core";

import { DAY_MS } from "../../core/durations.ts";
import type { Json } from "../../core/json.ts";
import {
  EVENT_DAYS,
  accountQueries,
  numberOf,
  toAccountWithHistory,
  USER_DAYS,
  type AccountWithHistory,
} from "./account-details.ts";
import { databaseOf, type WorkspaceRef } from "../client/database.ts";
import { shownId } from "../users/erased-ids.ts";
import { withRetry } from "../client/faults.ts";
import { type Identity, identityColumn, toIdentity } from "../identity/read-identity.ts";
import type { EntityRef } from "../ingest/entity-ref.ts";
import { itemsQuery, type StoredItem, toItem } from "../inbox/list-items.ts";
import { eventNames, healthDays, inboxItems, rollups, traits, users } from "../schema/schema.ts";
import { unfoldedEvents } from "./unfolded-events.ts";

export interface AccountUser extends EntityRef {
  /** `null` if nothing is attached, or the reader may not see it. */
  identity: Identity | null;
  /** The trait `role`, whatever its type. */
  role: Json;
  lastSeenAt: number;
  activeDays: number;
}

export interface FeatureUse {
  name: string;
  /** Events in the last `EVENT_DAYS`, and in as many days before. */
  count: number;
  before: number;
  users: number;
  lastAt: number;
}

export interface ConsoleAccountDetails extends AccountWithHistory {
  /** Seven days before the newest scored day, if that day was scored. */
  weekBefore: { score: number | null; uncapped: number | null } | null;
  /** The latest first. */
  users: AccountUser[];
  /** The most frequent first, then those that stopped. */
  features: FeatureUse[];
  /** Open and past, the latest first. */
  items: StoredItem[];
}

/** The distance of the two scores that changes compare: docs/health.md §11.13. */
const CHANGE_DAYS = 7;
const MAX_USERS = 50;
const MAX_FEATURES = 30;
const MAX_ITEMS = 50;

const e = alias(eventNames, "e");
const r = alias(rollups, "r");
const newest = alias(healthDays, "newest");

/** @param id the external or the internal one */
export async function readConsoleAccount(
  env: Env,
  workspace: WorkspaceRef,
  id: string,
  { now, withIdentity }: { now: number; withIdentity: boolean },
): Promise<ConsoleAccountDetails | null> {
  const db = databaseOf(env, workspace);
  const number = numberOf(workspace, id);
  const today = Math.floor(now / DAY_MS);
  const uses = accountUses(workspace, number, today);
  const [[account], history, kept, [changed], [run], [tail], [weekBefore], people, features, items] = await withRetry(
    () =>
      db.batch([
        ...accountQueries(db, workspace, number, withIdentity),
        db
          .select({
            lastAt: sql<
              number | null
            >`(SELECT max(at) FROM (${unfoldedEvents(workspace)}) WHERE account = ${number})`.as("last_at"),
          })
          .from(sql`(SELECT 1)`),
        db.select({ score: healthDays.score, uncapped: healthDays.uncapped }).from(healthDays)
          .where(sql`${healthDays.account} = ${number} AND ${healthDays.day} = (SELECT max(${newest.day}) - ${CHANGE_DAYS}
          FROM ${healthDays} newest WHERE ${newest.account} = ${number})`),
        db
          .select({
            id: users.id,
            externalId: users.externalId,
            identity: identityColumn(workspace, "user", users.number, withIdentity),
            role: traits.value,
            lastSeenAt: sql<number>`seen.last_at`.as("last_seen_at"),
            activeDays: sql<number>`seen.days`.as("active_days"),
          })
          .from(
            sql`(SELECT user, max(last_at) AS last_at, count(DISTINCT day) AS days FROM (${uses})
            WHERE user > 0 AND day > ${today - USER_DAYS} GROUP BY user ORDER BY 2 DESC, 1 LIMIT ${MAX_USERS}) AS seen`,
          )
          .innerJoin(users, sql`${users.number} = seen.user`)
          .leftJoin(
            traits,
            and(eq(traits.subjectKind, "user"), eq(traits.subject, users.number), eq(traits.key, "role")),
          )
          .orderBy(desc(sql`seen.last_at`), asc(users.number)),
        db
          .select({
            name: sql<string>`event`.as("event_name"),
            count: sql<number>`sum(iif(day > ${today - EVENT_DAYS}, count, 0))`.as("total"),
            before: sql<number>`sum(iif(day > ${today - EVENT_DAYS}, 0, count))`.as("total_before"),
            users: sql<number>`count(DISTINCT iif(day > ${today - EVENT_DAYS}, nullif(user, 0), NULL))`.as(
              "distinct_users",
            ),
            lastAt: sql<number>`max(last_at)`.as("latest"),
          })
          .from(sql`(${uses}) AS uses`)
          .where(sql`day > ${today - 2 * EVENT_DAYS}`)
          .groupBy(sql`event`)
          .orderBy(desc(sql`total`), desc(sql`total_before`), sql`event`)
          .limit(MAX_FEATURES),
        itemsQuery(db, workspace, withIdentity)
          .where(and(eq(inboxItems.workspace, workspace.number), sql`${inboxItems.account} = ${number}`))
          .orderBy(desc(inboxItems.openedDay), desc(inboxItems.number))
          .limit(MAX_ITEMS),
      ]),
  );
  if (account === undefined) return null;
  const found = toAccountWithHistory(account, { history, kept, changed, run });
  return {
    ...found,
    lastSeenAt: latest(found.lastSeenAt, tail?.lastAt ?? null),
    weekBefore: weekBefore ?? null,
    users: people.map(({ externalId, identity, role, ...rest }) => ({
      ...rest,
      externalId: shownId(externalId),
      identity: toIdentity(identity),
      role: readJson(role),
    })),
    features,
    items: items.map(toItem),
  };
}

/** Selects what an account's users did: `user` (0 for none), `event` by name, `day`, `count` and `last_at`. */
const accountUses = (workspace: WorkspaceRef, account: SQL, today: number): SQL => sql`
  SELECT ${r.user}, ${e.name} AS event, ${r.day}, ${r.count}, ${r.lastAt}
  FROM ${rollups} r JOIN ${eventNames} e ON ${e.number} = ${r.event}
  WHERE ${r.account} = ${account} AND ${r.day} > ${today - USER_DAYS}
  UNION ALL SELECT user, event, day, 1, at FROM (${unfoldedEvents(workspace)}) WHERE account = ${account}`;

const latest = (a: number | null, b: number | null): number | null => (a === null || (b !== null && b > a) ? b : a);

const readJson = (text: string | null): Json => (text === null ? null : JSON.parse(text));

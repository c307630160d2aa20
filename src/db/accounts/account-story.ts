/** Reads everything that the page of an account shows, in one round trip. */
import { and, asc, desc, eq, gt, isNotNull, sql } from "drizzle-orm";

import { DAY_MS } from "../../core/durations.ts";
import type { AttributeChange } from "../../core/health/model.ts";
import type { Json } from "../../core/json.ts";
import {
  EVENT_DAYS,
  type HistoryDay,
  numberOf,
  accountQuery,
  historyQuery,
  toWholeAccount,
  USER_DAYS,
  type WholeAccount,
} from "./account-details.ts";
import { type Database, databaseOf, type WorkspaceRef } from "../client/database.ts";
import { shownId } from "../users/erased-ids.ts";
import { withRetry } from "../client/faults.ts";
import { type Identity, identityColumn, toIdentity } from "../identity/read-identity.ts";
import { itemsQuery, type StoredItem, toItem } from "../inbox/list-items.ts";
import { lastRunQuery } from "../recompute/runs.ts";
import { activity, eventNames, inboxItems, rollups, traits, users } from "../schema/schema.ts";

export interface AccountUser {
  id: string;
  /** `null` for an erased user. */
  externalId: string | null;
  /** `null` when nothing is attached or the reader may not see it. */
  identity: Identity | null;
  /** The trait `role`, as it was sent. */
  role: Json;
  lastSeenAt: number;
  activeDays: number;
}

export interface FeatureUse {
  name: string;
  /** Events of the last days, and of as many days before. */
  count: number;
  before: number;
  users: number;
  lastAt: number;
}

export interface AccountStory extends WholeAccount {
  /** Ascending by day. */
  history: HistoryDay[];
  /** The latest first. */
  users: AccountUser[];
  /** The most frequent first, then those no longer used. */
  features: FeatureUse[];
  /** Free-form traits by name. */
  traits: [name: string, value: Json][];
  /** Changes of attributes, ascending. */
  changes: AttributeChange[];
  /** Open and past items, the latest first. */
  items: StoredItem[];
  asOf: number | null;
}

const MAX_USERS = 50;
const MAX_FEATURES = 30;
const MAX_TRAITS = 50;
const MAX_ITEMS = 50;

/** @param id the external or the internal id */
export async function readAccountStory(
  env: Env,
  workspace: WorkspaceRef,
  id: string,
  { now, withIdentity }: { now: number; withIdentity: boolean },
): Promise<AccountStory | null> {
  const db = databaseOf(env, workspace);
  const number = numberOf(workspace, id);
  const today = Math.floor(now / DAY_MS);
  const seen = seenUsers(db, number, today);
  const [[account], history, people, features, kept, [changes], items, [run]] = await withRetry(() =>
    db.batch([
      accountQuery(db, workspace, number, withIdentity),
      historyQuery(db, number),
      db
        .with(seen)
        .select({
          id: users.id,
          externalId: users.externalId,
          identity: identityColumn(workspace, "user", users.number, withIdentity),
          role: traits.value,
          lastSeenAt: seen.lastSeenAt,
          activeDays: seen.activeDays,
        })
        .from(seen)
        .innerJoin(users, eq(users.number, seen.user))
        .leftJoin(traits, and(eq(traits.subjectKind, "user"), eq(traits.subject, users.number), eq(traits.key, "role")))
        .orderBy(desc(seen.lastSeenAt), asc(users.number)),
      db
        .select({
          name: eventNames.name,
          count: sql<number>`sum(iif(${rollups.day} > ${today - EVENT_DAYS}, ${rollups.count}, 0))`.as("total"),
          before: sql<number>`sum(iif(${rollups.day} > ${today - EVENT_DAYS}, 0, ${rollups.count}))`.as("total_before"),
          users:
            sql<number>`count(DISTINCT iif(${rollups.day} > ${today - EVENT_DAYS}, nullif(${rollups.user}, 0), NULL))`.as(
              "distinct_users",
            ),
          lastAt: sql<number>`max(${rollups.lastAt})`.as("latest"),
        })
        .from(rollups)
        .innerJoin(eventNames, eq(eventNames.number, rollups.event))
        .where(and(sql`${rollups.account} = ${number}`, gt(rollups.day, today - 2 * EVENT_DAYS)))
        .groupBy(eventNames.number)
        .orderBy(desc(sql`total`), desc(sql`total_before`), asc(eventNames.name))
        .limit(MAX_FEATURES),
      db
        .select({ key: traits.key, value: traits.value })
        .from(traits)
        .where(and(eq(traits.subjectKind, "account"), sql`${traits.subject} = ${number}`, isNotNull(traits.value)))
        .orderBy(asc(traits.key))
        .limit(MAX_TRAITS),
      db
        .select({ timeline: activity.timeline })
        .from(activity)
        .where(and(eq(activity.workspace, workspace.number), sql`${activity.account} = ${number}`)),
      itemsQuery(db)
        .where(and(eq(inboxItems.workspace, workspace.number), sql`${inboxItems.account} = ${number}`))
        .orderBy(desc(inboxItems.openedDay), desc(inboxItems.number))
        .limit(MAX_ITEMS),
      lastRunQuery(db),
    ]),
  );
  if (account === undefined) return null;
  return {
    ...toWholeAccount(account),
    history: history.toReversed(),
    users: people.map(({ externalId, identity, role, ...rest }) => ({
      ...rest,
      externalId: shownId(externalId),
      identity: toIdentity(identity),
      role: readJson(role),
    })),
    features,
    traits: kept.map(({ key, value }) => [key, readJson(value)]),
    changes: (changes?.timeline ?? []).map(([day, values]) => ({ day, values })),
    items: items.map(toItem),
    asOf: run?.asOf ?? null,
  };
}

/** Queries recently active users by number, so that names are looked up only for users on the page. */
const seenUsers = (db: Database, account: ReturnType<typeof sql>, today: number) =>
  db.$with("seen").as(
    db
      .select({
        user: sql<number>`${rollups.user}`.as("seen_user"),
        lastSeenAt: sql<number>`max(${rollups.lastAt})`.as("last_seen_at"),
        activeDays: sql<number>`count(DISTINCT ${rollups.day})`.as("active_days"),
      })
      .from(rollups)
      .where(and(sql`${rollups.account} = ${account}`, gt(rollups.day, today - USER_DAYS), gt(rollups.user, 0)))
      .groupBy(rollups.user)
      .orderBy(desc(sql`last_seen_at`), asc(rollups.user))
      .limit(MAX_USERS),
  );

const readJson = (text: string | null): Json => (text === null ? null : JSON.parse(text));

/** Reads the console's inbox: a page of items, and all about the selected one, in one round trip. */
import { and, count, desc, eq, inArray, isNull, sql } from "drizzle-orm";

import { DAY_MS } from "../../core/durations.ts";
import { ownersQuery } from "../accounts/list-owners.ts";
import { traitValue } from "../accounts/subjects.ts";
import { type Database, ownRange, type WorkspaceRef } from "../client/database.ts";
import { readQueries } from "../client/read.ts";
import { identityColumn } from "../identity/read-identity.ts";
import { asOfQuery } from "../recompute/runs.ts";
import { accountOwners, health, healthDays, inboxItems, inboxMarks, traits, users } from "../schema/schema.ts";
import { isNotErased, shownIdOf } from "../users/erased-ids.ts";
import { type ItemFilter, itemsQuery, pageQuery, statusAt } from "./list-items.ts";

export type InboxPage = Awaited<ReturnType<typeof readInboxPage>>;
export type Contact = InboxPage["contacts"][number];

/** Days of scores, and days in which the users of an account were active. */
export const PANEL_DAYS = 28;
const MAX_CONTACTS = 3;
/** Roles of people who decide, wherever a role has one of these words. */
const DECIDING_ROLES = ["admin", "owner", "champion"];

interface PageFilter extends ItemFilter {
  /** The id of the item in the panel, whatever its status. */
  shown: string | undefined;
  /** The ids of the items that an action has changed. */
  changed: readonly string[];
}

export async function readInboxPage(env: Env, workspace: WorkspaceRef, { shown, changed, ...filter }: PageFilter) {
  const own = eq(inboxItems.workspace, workspace.number);
  const ownerOfItem = sql`(SELECT ${accountOwners.owner} FROM ${accountOwners} WHERE ${accountOwners.account} = ${inboxItems.account})`;
  const ids = [...changed, ...(shown === undefined ? [] : [shown])];
  const [items, counts, selected, contacts, scores, owners, [scored], [run]] = await readQueries(
    env,
    workspace,
    (db) => [
      pageQuery(db, workspace, filter),
      // Resolved items grow without bound, so they are not counted.
      db
        .select({ kind: inboxItems.kind, status: statusAt(filter.now).as("status"), count: count().as("count") })
        .from(inboxItems)
        .leftJoin(inboxMarks, eq(inboxMarks.item, inboxItems.number))
        .where(
          and(
            own,
            isNull(inboxItems.resolvedDay),
            filter.owner === undefined ? undefined : sql`${ownerOfItem} IS ${filter.owner}`,
          ),
        )
        .groupBy(inboxItems.kind, sql`status`),
      itemsQuery(db, workspace, filter.withIdentity).where(and(own, inArray(inboxItems.id, ids))),
      contactsQuery(db, workspace, shown, filter),
      scoresQuery(db, workspace, shown, filter.now),
      ownersQuery(db, workspace),
      db.select({ account: health.account }).from(health).where(eq(health.workspace, workspace.number)).limit(1),
      asOfQuery(db, workspace),
    ],
  );
  return {
    items,
    counts,
    shown: selected.find(({ id }) => id === shown) ?? null,
    changed: selected.filter(({ id }) => changed.includes(id)),
    /** The people to write to, first those who decide, then the most active. */
    contacts,
    /** The scores of the item's account, ascending by day. */
    scores: scores.toReversed(),
    owners: owners.map(({ owner }) => owner),
    /** When scores were last updated; `null` while the workspace has none. */
    updatedAt: scored === undefined ? null : (run?.asOf ?? null),
  };
}

/** The account of an item; no account for an unknown item. */
const accountOf = ({ number }: WorkspaceRef, item: string | undefined) =>
  sql`(SELECT account FROM inbox_items WHERE workspace = ${number} AND id = ${item ?? ""})`;

function contactsQuery(db: Database, workspace: WorkspaceRef, item: string | undefined, filter: ItemFilter) {
  const today = Math.floor(filter.now / DAY_MS);
  const role = sql`lower(coalesce(${traits.value}, ''))`;
  const decides = sql.join(
    DECIDING_ROLES.map((word) => sql`instr(${role}, ${word}) > 0`),
    sql` OR `,
  );
  return db
    .select({
      id: users.id,
      externalId: shownIdOf(users.externalId).as("external_id"),
      identity: identityColumn(workspace, "user", users.number, filter.withIdentity),
      role: traitValue,
      /** Active days in `PANEL_DAYS`, and the last of them. */
      activeDays: sql<number>`active.days`.as("active_days"),
      lastDay: sql<number>`active.last_day`.as("last_day"),
    })
    .from(
      sql`(SELECT each.value AS user, count(*) AS days, max(day) AS last_day
        FROM account_days, json_each(account_days.users) each
        WHERE account = ${accountOf(workspace, item)} AND day > ${today - PANEL_DAYS} GROUP BY 1) AS active`,
    )
    .innerJoin(
      users,
      sql`${users.number} = ${ownRange(workspace).first - 1} + active.user AND ${sql.raw(isNotErased("users.external_id"))}`,
    )
    .leftJoin(traits, and(eq(traits.subjectKind, "user"), eq(traits.subject, users.number), eq(traits.key, "role")))
    .orderBy(desc(sql`(${decides})`), desc(sql`active.days`), desc(sql`active.last_day`), users.number)
    .limit(MAX_CONTACTS);
}

const scoresQuery = (db: Database, workspace: WorkspaceRef, item: string | undefined, now: number) =>
  db
    .select({ day: healthDays.day, value: healthDays.score })
    .from(healthDays)
    .where(
      and(
        sql`${healthDays.account} = ${accountOf(workspace, item)}`,
        sql`${healthDays.day} > ${Math.floor(now / DAY_MS) - PANEL_DAYS}`,
      ),
    )
    .orderBy(desc(healthDays.day));

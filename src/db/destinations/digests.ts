/** Reads the items of a digest, and finds and moves on the digests that are due. */
import { and, between, desc, eq, gt, gte, isNull, lte, or, sql } from "drizzle-orm";

import type { Day } from "../../core/health/model.ts";
import type { NewsFilter } from "../../core/notify/model.ts";
import type { Rates } from "../../core/rates.ts";
import { columnsOf } from "../client/columns-of.ts";
import { databaseOf, directory, type WorkspaceRef } from "../client/database.ts";
import { withRetry } from "../client/faults.ts";
import { readQueries } from "../client/read.ts";
import { dayOf, isLive, lastNumber } from "../client/sql-fragments.ts";
import { inStatus, itemsQuery, type StoredItem } from "../inbox/list-items.ts";
import {
  accountOwners,
  accounts,
  destinations,
  folds,
  inboxItems,
  notifications,
  workspaces,
} from "../schema/schema.ts";
import { byMrr, ITEM_MRR } from "./by-mrr.ts";
import { passesFilter } from "./filter-sql.ts";

/** More items aren't counted. */
const MAX_ITEMS = 5_000;
/** A sweep's part; the next one finds the others. */
const MAX_DIGESTS = 100;

const SUBJECT = {
  item: columnsOf(inboxItems, "inbox_items"),
  account: columnsOf(accounts, "accounts"),
  owner: columnsOf(accountOwners, "account_owners"),
};
const PASSES_FILTER = sql.raw(passesFilter("filter", SUBJECT));

/**
 * Reads the items of a digest: those that are open, and those that opened or were resolved on its days. The largest MRR comes first.
 * @param rates to compare amounts of different currencies; `undefined` compares the numbers
 */
export async function readDigestItems(
  env: Env,
  workspace: WorkspaceRef,
  { from, to }: { from: Day; to: Day },
  { filter, withIdentity, rates, now }: DigestOptions,
): Promise<StoredItem[]> {
  const [items] = await readQueries(env, workspace, (db) => [
    itemsQuery(db, workspace, withIdentity)
      .where(
        and(
          eq(inboxItems.workspace, workspace.number),
          or(
            inStatus("open", now),
            between(inboxItems.openedDay, from, to),
            sql`${inboxItems.resolvedDay} BETWEEN ${from} AND ${to}`,
          ),
          sql`EXISTS (SELECT 1 FROM (SELECT ${JSON.stringify(filter)} AS filter) WHERE ${PASSES_FILTER})`,
        ),
      )
      .orderBy(byMrr(ITEM_MRR, rates), desc(inboxItems.rank), desc(inboxItems.number))
      .limit(MAX_ITEMS),
  ]);
  return items;
}

interface DigestOptions {
  filter: NewsFilter;
  withIdentity: boolean;
  rates: Rates | undefined;
  now: number;
}

/**
 * Lists the digests that are due and whose days are scored. The last day is the last one that was complete at the digest's time, so
 * a late sweep moves neither the days nor the time of the next one.
 */
export async function listDueDigests(env: Env, database: string, now: number) {
  const { number, id, workspace, digest, digestDueAt, digestThrough } = destinations;
  const lastDay = sql<Day>`${sql.raw(dayOf("destinations.digest_due_at"))} - 1`;
  const due = await withRetry(() =>
    databaseOf(env, { database })
      .select({ number, id, workspace, digest, dueAt: digestDueAt, through: digestThrough, lastDay })
      .from(destinations)
      .innerJoin(folds, eq(folds.workspace, workspace))
      .where(
        and(
          lte(digestDueAt, now),
          isNull(destinations.disabledAt),
          or(gte(digestThrough, lastDay), gt(sql.raw(dayOf("folds.as_of")), lastDay)),
          IS_LIVE,
        ),
      )
      .limit(MAX_DIGESTS),
  );
  return due.flatMap(({ through, digest: times, dueAt, lastDay: to, ...destination }) => {
    if (times === null || dueAt === null) return [];
    const from = through === null ? to : through + 1;
    // A destination that was created on the day of its first digest has no complete day yet.
    return [{ ...destination, digest: times, dueAt, days: from > to ? null : { from, to } }];
  });
}

export type DueDigest = Awaited<ReturnType<typeof listDueDigests>>[number];

const IS_LIVE = sql.raw(isLive("destinations.workspace"));

/** Reads the time zones of workspaces from the directory, by their numbers. */
export async function readTimezones(env: Env, numbers: readonly number[]): Promise<Map<number, string>> {
  const { number, timezone } = workspaces;
  const isNamed = sql`${number} IN (SELECT value FROM json_each(${JSON.stringify(numbers)}))`;
  const found = await withRetry(() => directory(env).select({ number, timezone }).from(workspaces).where(isNamed));
  return new Map(found.map((each) => [each.number, each.timezone]));
}

/** Puts a digest into the outbox, if it has days, and sets the time of the next one, unless another sweep or a request did. */
export async function insertDigest(
  env: Env,
  database: string,
  { number, id, workspace, dueAt, days }: DueDigest,
  { now, nextDueAt }: { now: number; nextDueAt: number },
): Promise<void> {
  const db = databaseOf(env, { database });
  const isDue = and(
    eq(destinations.number, number),
    eq(destinations.id, id),
    eq(destinations.digestDueAt, dueAt),
    IS_LIVE,
  );
  const next = db
    .update(destinations)
    .set({ digestDueAt: nextDueAt, ...(days && { digestThrough: days.to }) })
    .where(isDue);
  if (days === null) {
    await withRetry(() => next);
    return;
  }
  const digest = sql`SELECT ${sql.raw(lastNumber(columnsOf(notifications), String(workspace)))} + 1,
    'ntf_' || lower(hex(randomblob(12))), ${number}, 'digest', 0, ${days.to}, ${String(days.from)}, NULL, ${now}, ${now}, 0
    FROM ${destinations} WHERE ${isDue}`;
  await withRetry(() => db.batch([db.insert(notifications).select(digest).onConflictDoNothing(), next]));
}

/** Reads the items of a digest, and finds and moves on the digests that are due. */
import { and, between, desc, eq, inArray, isNull, lte, or, sql } from "drizzle-orm";

import { DAY_MS } from "../../core/durations.ts";
import type { Day } from "../../core/health/model.ts";
import { SEVERITIES } from "../../core/inbox/model.ts";
import type { NewsFilter } from "../../core/notify/model.ts";
import type { Rates } from "../../core/rates.ts";
import { columnsOf } from "../client/columns-of.ts";
import { databaseOf, directory, type WorkspaceRef } from "../client/database.ts";
import { withRetry } from "../client/faults.ts";
import { readQueries } from "../client/read.ts";
import { isLive, lastNumber } from "../client/sql-fragments.ts";
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

/** More items aren't counted. */
const MAX_ITEMS = 5_000;
/** A sweep's part; the next one finds the others. */
const MAX_DIGESTS = 100;

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
  const { kinds, minSeverity, minMrr, owner } = filter;
  const mrr = sql`${accounts.attributes} ->> '$.mrr[0]'`;
  const rate = sql`coalesce(${JSON.stringify(rates ?? {})} ->> (${accounts.attributes} ->> '$.currency[0]'), 1)`;
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
          kinds && inArray(inboxItems.kind, kinds),
          minSeverity && inArray(inboxItems.severity, SEVERITIES.slice(SEVERITIES.indexOf(minSeverity))),
          // An item about the workspace as a whole has neither MRR nor owner.
          minMrr === undefined ? undefined : sql`${mrr} >= ${minMrr}`,
          owner === undefined
            ? undefined
            : sql`${inboxItems.account} IN (SELECT ${accountOwners.account} FROM ${accountOwners} WHERE ${accountOwners.owner} = ${owner})`,
        ),
      )
      .orderBy(desc(sql`coalesce(${mrr} * ${rate}, -1)`), desc(inboxItems.rank), desc(inboxItems.number))
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

/** Lists the destinations whose digest is due, with the last day that has outcomes. */
export async function listDueDigests(env: Env, database: string, now: number) {
  const due = await withRetry(() =>
    databaseOf(env, { database })
      .select({
        number: destinations.number,
        id: destinations.id,
        workspace: destinations.workspace,
        digest: destinations.digest,
        dueAt: destinations.digestDueAt,
        through: destinations.digestThrough,
        asOf: folds.asOf,
      })
      .from(destinations)
      .innerJoin(folds, eq(folds.workspace, destinations.workspace))
      .where(and(lte(destinations.digestDueAt, now), isNull(destinations.disabledAt), IS_LIVE))
      .limit(MAX_DIGESTS),
  );
  return due.flatMap(({ asOf, through, digest, dueAt, ...destination }) => {
    const lastDay = Math.floor((asOf ?? 0) / DAY_MS) - 1;
    // Until the run of this day is complete, the next sweeps ask again.
    if (digest === null || dueAt === null || asOf === null || (through !== null && through >= lastDay)) return [];
    return [{ ...destination, digest, dueAt, days: { from: (through ?? lastDay - 1) + 1, to: lastDay } }];
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

/** Puts a digest into the outbox and sets the time of the next one, unless another sweep or a request did. */
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
  await withRetry(() =>
    db.batch([
      db
        .insert(notifications)
        .select(
          sql`SELECT ${sql.raw(lastNumber(columnsOf(notifications), String(workspace)))} + 1, 'ntf_' || lower(hex(randomblob(12))),
            ${number}, 'digest', 0, ${days.to}, ${String(days.from)}, NULL, ${now}, ${now}, 0
            FROM ${destinations} WHERE ${isDue}`,
        )
        .onConflictDoNothing(),
      db.update(destinations).set({ digestDueAt: nextDueAt, digestThrough: days.to }).where(isDue),
    ]),
  );
}

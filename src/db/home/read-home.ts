/** Reads the console's home page in one round trip. It reads all accounts and items of the workspace, as the
 * list of accounts reads all accounts. */
import { and, asc, between, count, desc, eq, gte, isNull, type SQL, sql } from "drizzle-orm";

import { DAY_MS } from "../../core/durations.ts";
import { accountColumn } from "../accounts/subjects.ts";
import { ownRange, type WorkspaceRef } from "../client/database.ts";
import { readQueries } from "../client/read.ts";
import { isSuperseded } from "../client/sql-fragments.ts";
import { identityColumn } from "../identity/read-identity.ts";
import { itemsQuery, pageQuery } from "../inbox/list-items.ts";
import { accounts, folds, health, inboxItems, messages, rejections } from "../schema/schema.ts";

export type Home = Awaited<ReturnType<typeof readHome>>;

export const RENEWAL_DAYS = 90;
const SHOWN = 5;

const mrr = sql<number>`${accounts.attributes} ->> '$.mrr[0]'`;
const currency = sql<string | null>`${accounts.attributes} ->> '$.currency[0]'`;
const contractEndsAt = sql<string>`${accounts.attributes} ->> '$.contractEndsAt[0]'`;
const ownHealth = and(eq(health.workspace, accounts.workspace), eq(health.account, accounts.number));

/** @param withIdentity whether the reader may see identity traits */
export async function readHome(
  env: Env,
  workspace: WorkspaceRef,
  { now, withIdentity }: { now: number; withIdentity: boolean },
) {
  const today = Math.floor(now / DAY_MS);
  const { first, last } = ownRange(workspace);
  const own = eq(accounts.workspace, workspace.number);
  // As questions about money count: docs/queries.md.
  const isCustomer = and(
    own,
    sql`coalesce(${accounts.attributes} ->> '$.stage[0]', '') <> 'churned'`,
    sql.raw(`NOT ${isSuperseded("accounts")}`),
  );
  const renews = and(
    sql`${contractEndsAt} >= ${new Date(now).toISOString()}`,
    sql`${contractEndsAt} < ${new Date(now + RENEWAL_DAYS * DAY_MS).toISOString()}`,
  );
  const isSince = (day: "opened_day" | "resolved_day") => sql`${sql.raw(day)} >= ${today - 1}`;
  /** One index has the unresolved items, and one the resolved ones by day. */
  const countItems = (condition: SQL) =>
    sql<number>`(SELECT count(*) FROM ${inboxItems} WHERE workspace = ${workspace.number} AND ${condition})`;
  const [money, renewals, items, opened, [changes], [fold], [newest], [rejected]] = await readQueries(
    env,
    workspace,
    (db) => [
      db
        .select({
          currency: currency.as("currency"),
          mrr: sql<number>`sum(${mrr})`.as("total"),
          atRisk: sql<number>`coalesce(sum(${mrr}) FILTER (WHERE ${health.state} = 'at_risk'), 0)`.as("at_risk"),
          renewing: sql<number>`coalesce(sum(${mrr}) FILTER (WHERE ${renews}), 0)`.as("renewing"),
          accounts: count().as("accounts"),
          accountsAtRisk: sql<number>`count(*) FILTER (WHERE ${health.state} = 'at_risk')`.as("accounts_at_risk"),
          renewals: sql<number>`count(*) FILTER (WHERE ${renews})`.as("renewals"),
        })
        .from(accounts)
        .leftJoin(health, ownHealth)
        .where(isCustomer)
        .groupBy(currency)
        .orderBy(desc(sql`total`)),
      db
        .select({
          account: accountColumn,
          identity: identityColumn(workspace, "account", accounts.number, withIdentity),
          mrr: mrr.as("mrr"),
          currency: currency.as("currency"),
          contractEndsAt: contractEndsAt.as("contract_ends_at"),
          state: health.state,
        })
        .from(accounts)
        .leftJoin(health, ownHealth)
        .where(and(isCustomer, renews))
        .orderBy(asc(sql`contract_ends_at`))
        .limit(SHOWN),
      pageQuery(db, workspace, {
        status: "open",
        kind: undefined,
        after: null,
        limit: SHOWN,
        withIdentity,
        now,
      }),
      itemsQuery(db, workspace, withIdentity)
        .where(
          and(
            eq(inboxItems.workspace, workspace.number),
            isNull(inboxItems.resolvedDay),
            gte(inboxItems.openedDay, today - 1),
          ),
        )
        .orderBy(desc(inboxItems.rank))
        .limit(SHOWN),
      db
        .select({
          opened: sql<number>`${countItems(sql`resolved_day IS NULL AND ${isSince("opened_day")}`)}
            + ${countItems(sql`resolved_day IS NOT NULL AND ${isSince("resolved_day")} AND ${isSince("opened_day")}`)}`.as(
            "opened",
          ),
          resolved: countItems(sql`resolved_day IS NOT NULL AND ${isSince("resolved_day")}`).as("resolved"),
        })
        .from(sql`(SELECT 1)`),
      db
        .select({ asOf: folds.asOf, lastEventAt: folds.lastEventAt })
        .from(folds)
        .where(eq(folds.workspace, workspace.number)),
      db
        .select({ receivedAt: messages.receivedAt })
        .from(messages)
        .where(between(messages.seq, first, last))
        .orderBy(desc(messages.seq))
        .limit(1),
      db
        .select({ count: count() })
        .from(rejections)
        .where(and(between(rejections.seq, first, last), gte(rejections.receivedAt, now - DAY_MS))),
    ],
  );
  return {
    /** Customers by the currency of their MRR, the largest amount first. */
    money,
    /** The next to end. */
    renewals,
    /** The most urgent items, and the most urgent of those that opened since yesterday. */
    items,
    opened,
    /** Items that opened and that resolved since yesterday. */
    changes: changes ?? { opened: 0, resolved: 0 },
    asOf: fold?.asOf ?? null,
    /** When the newest message was received; `null` without one in the log. */
    receivedAt: newest?.receivedAt ?? null,
    hasEvents: newest !== undefined || fold?.lastEventAt != null,
    /** Messages that were rejected in the last 24 hours, of those kept. */
    rejected: rejected?.count ?? 0,
  };
}

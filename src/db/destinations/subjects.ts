/** Reads what notifications are about, when they are sent. */
import { and, eq, sql, type SQLWrapper } from "drizzle-orm";

import type { Rates } from "../../core/rates.ts";
import { accountsQuery } from "../accounts/list-accounts.ts";
import type { WorkspaceRef } from "../client/database.ts";
import { readQueries } from "../client/read.ts";
import { itemsQuery } from "../inbox/list-items.ts";
import { accounts, inboxItems, notifications } from "../schema/schema.ts";
import { ACCOUNT_MRR, byMrr, ITEM_MRR } from "./by-mrr.ts";
import type { Notification } from "./deliveries.ts";

const among = (column: SQLWrapper, numbers: readonly number[]) =>
  sql`${column} IN (SELECT value FROM json_each(${JSON.stringify(numbers)}))`;

const isHealth = ({ type }: Notification) => type === "health.changed";
const numbersOf = (about: readonly Notification[]) => about.map(({ subject }) => subject);

/**
 * @param rates to sort amounts of different currencies
 * @returns items and accounts by number, the largest MRR first
 */
export async function readSubjects(
  env: Env,
  workspace: WorkspaceRef,
  about: readonly Notification[],
  withIdentity: boolean,
  rates?: Rates,
) {
  const itemNumbers = numbersOf(about.filter((each) => !isHealth(each)));
  const accountNumbers = numbersOf(about.filter(isHealth));
  const isItem = and(eq(inboxItems.workspace, workspace.number), among(inboxItems.number, itemNumbers));
  const [items, scored] = await readQueries(env, workspace, (db) => [
    itemsQuery(db, workspace, withIdentity).where(isItem).orderBy(byMrr(ITEM_MRR, rates)),
    accountsQuery(db, workspace, { withIdentity }, {})
      .where(and(eq(accounts.workspace, workspace.number), among(accounts.number, accountNumbers)))
      .orderBy(byMrr(ACCOUNT_MRR, rates)),
  ]);
  return {
    items: new Map(items.map((item) => [item.number, item])),
    accounts: new Map(scored.map((account) => [account.number, account])),
  };
}

export type Subjects = Awaited<ReturnType<typeof readSubjects>>;

/** Reads the notifications that a summary replaces. */
export async function readSummarized(
  env: Env,
  workspace: WorkspaceRef,
  { destination, detail }: Notification,
): Promise<Notification[]> {
  const numbers = Array.isArray(detail) ? detail : [];
  const [replaced] = await readQueries(env, workspace, (db) => [
    db
      .select()
      .from(notifications)
      .where(and(eq(notifications.destination, destination), among(notifications.number, numbers))),
  ]);
  return replaced;
}

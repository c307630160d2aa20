/** Reads the database of a served Worker directly. */
import { z } from "zod";

import type { ServedWorker } from "../../harness/serve-worker.ts";

const Message = z.object({ messageId: z.string(), type: z.string(), user: z.string(), account: z.string() });
const UserAccount = z.object({ user: z.string(), account: z.string() });
const UserTrait = z.object({ user: z.string(), value: z.number() });

const OF_WORKSPACE = "(SELECT number FROM workspaces WHERE id = ?1)";

/** Returns all messages of the workspace, ordered by id. */
export const storedMessages = (worker: ServedWorker, workspace: { id: string }) =>
  select(
    worker,
    Message,
    `SELECT m.message_id AS messageId, m.type, u.external_id AS user, a.kind || ':' || a.external_id AS account
     FROM messages m LEFT JOIN users u ON u.number = m.user LEFT JOIN accounts a ON a.number = m.account
     WHERE m.workspace = ${OF_WORKSPACE} ORDER BY m.message_id`,
    workspace.id,
  );

/** Returns the account of each user. */
export async function userAccounts(worker: ServedWorker, workspace: { id: string }): Promise<Record<string, string>> {
  const rows = await select(
    worker,
    UserAccount,
    `SELECT u.external_id AS user, a.kind || ':' || a.external_id AS account
     FROM users u LEFT JOIN accounts a ON a.number = u.account WHERE u.workspace = ${OF_WORKSPACE}`,
    workspace.id,
  );
  return Object.fromEntries(rows.map(({ user, account }) => [user, account]));
}

/** Returns the value of a trait for each user who has it. */
export async function userTraits(
  worker: ServedWorker,
  workspace: { id: string },
  key: string,
): Promise<Record<string, number>> {
  const rows = await select(
    worker,
    UserTrait,
    `SELECT u.external_id AS user, t.value ->> '$' AS value FROM traits t
     JOIN users u ON t.subject_kind = 'user' AND t.subject = u.number
     WHERE u.workspace = ${OF_WORKSPACE} AND t.key = ?2`,
    workspace.id,
    key,
  );
  return Object.fromEntries(rows.map(({ user, value }) => [user, value]));
}

async function select<T>(
  { database }: ServedWorker,
  row: z.ZodType<T>,
  sql: string,
  ...values: string[]
): Promise<T[]> {
  const { results } = await database
    .prepare(sql)
    .bind(...values)
    .all();
  return z.array(row).parse(results);
}

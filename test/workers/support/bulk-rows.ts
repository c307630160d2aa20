/** Inserts thousands of rows in one statement, where requests would take minutes. */
import { env } from "cloudflare:workers";

import type { WorkspaceRef } from "../../../src/db/client/database.ts";

/** The numbers from 1 to ?2. */
const SERIES = "WITH RECURSIVE n (value) AS (SELECT 1 UNION ALL SELECT value + 1 FROM n WHERE value < ?2)";

const insert = async (database: D1Database, sql: string, ...values: (number | string)[]): Promise<void> => {
  await database
    .prepare(sql)
    .bind(...values)
    .run();
};

/** Attaches a name to this many users, which have no rows of their own. */
export const addNamedUsers = ({ number }: WorkspaceRef, count: number, database = env.DB): Promise<void> =>
  insert(
    database,
    `INSERT INTO identity_traits (workspace, subject_kind, subject, key, value, attached_at)
    ${SERIES} SELECT ?1, 'user', (?1 << 32) + value, 'name', 'Jo', 0 FROM n`,
    number,
    count,
  );

/** Attaches a name and an address to this many users, by which questions find them. */
export async function addContacts({ number }: WorkspaceRef, count: number): Promise<void> {
  const contacts = 'FROM n CROSS JOIN json_each(\'["name", "email"]\') k';
  await insert(
    env.DB,
    `INSERT INTO identity_traits (workspace, subject_kind, subject, key, value, attached_at)
    ${SERIES} SELECT ?1, 'user', 1000000 * ?1 + n.value, k.value, 'Person' || n.value, 1 ${contacts}`,
    number,
    count,
  );
  await insert(
    env.DB,
    `INSERT INTO names (workspace, key, kind, subject, source, is_part)
    ${SERIES} SELECT ?1, 'person', 'user', 1000000 * ?1 + n.value, k.value, 0 ${contacts}`,
    number,
    count,
  );
}

/** Adds the names `north holdings <number>` of accounts, which have no rows of their own. */
export const addNames = ({ number }: WorkspaceRef, from: number, count: number): Promise<void> =>
  insert(
    env.DB,
    `INSERT INTO names (workspace, key, kind, subject, source, is_part)
    ${SERIES} SELECT ?1, 'north holdings ' || (?3 + value - 1), 'account', ?3 + value - 1, 'external_id', 0 FROM n`,
    number,
    count,
    from,
  );

/** Adds the users `user 2` to `user <count>`. The last one has this id. */
export const addUsers = (
  { number }: WorkspaceRef,
  count: number,
  lastId: string,
  createdAt: number,
  database: D1Database,
): Promise<void> =>
  insert(
    database,
    `INSERT INTO users (number, id, workspace, external_id, created_at)
    ${SERIES} SELECT (?1 << 32) + value, 'usr_' || ?1 || '_' || value, ?1, iif(value = ?2, ?3, 'user ' || value), ?4
    FROM n WHERE value > 1`,
    number,
    count,
    lastId,
    createdAt,
  );

/** Adds tracks of `login`, the first of the workspace, at one time. The oldest may have another event. */
export const addTracks = ({ number }: WorkspaceRef, count: number, at: number, oldest = "login"): Promise<void> =>
  insert(
    env.DB,
    `INSERT INTO messages (seq, workspace, source, message_id, ingest_id, type, account, event, occurred_at, received_at)
    ${SERIES} SELECT (?1 << 32) + value, ?1, 'cdp', value, 1, 'track', 1,
      iif(value = 1, ?4, 'login'), ?3, ?3 FROM n`,
    number,
    count,
    at,
    oldest,
  );

/** Adds this many keys, thirty of them not revoked, and thirty acceptances of the agreement, with a long name each. */
export async function addKeysAndAcceptances({ number }: WorkspaceRef, count: number, name: string): Promise<void> {
  await insert(
    env.DB,
    `INSERT INTO api_keys (id, workspace, name, hash, last_four, created_at, revoked_at)
    ${SERIES} SELECT printf('key_%012d%012d', ?1, value), ?1, ?3, ?1 || '-' || value, 'abcd', value,
      iif(value > 30, value, NULL) FROM n`,
    number,
    count,
    name,
  );
  await insert(
    env.DB,
    `INSERT INTO agreements (workspace, version, accepted_by, accepted_at) ${SERIES} SELECT ?1, ?3, ?3, value FROM n`,
    number,
    30,
    name,
  );
}

/** Adds entries of workspaces to the directory. @param name contains `%d` for a number, or is the same for each */
export const addWorkspaces = (prefix: string, count: number, name: string): Promise<void> =>
  insert(
    env.DB,
    `INSERT INTO workspaces (id, name, write_limit, database, created_at)
    ${SERIES} SELECT printf('ws_%s%d', ?1, value), printf(?3, value), 100, 'DB', 0 FROM n`,
    prefix,
    count,
    name,
  );

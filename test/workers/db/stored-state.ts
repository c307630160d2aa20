/** Reads everything stored of a workspace, in the terms of the naive model. */
import { env } from "cloudflare:workers";

import { directory, type WorkspaceRef } from "../../../src/db/client/database.ts";
import { runBatch } from "../../../src/db/client/run-statements.ts";
import { unpackMapping } from "../../../src/db/ingest/stored-mapping.ts";
import { bound } from "../support/bound.ts";
import type { Snapshot } from "./naive-ingest.ts";

const BASE = 2 ** 32;

/** Creates a workspace without keys. */
export async function newWorkspace(): Promise<WorkspaceRef> {
  const id = `ws_${crypto.randomUUID()}`;
  const stored = await env.DB.prepare(
    `INSERT INTO workspaces (id, name, write_limit, database, created_at) VALUES (?, 'test', 100, 'DB', 0)
     RETURNING id, number, database`,
  )
    .bind(id)
    .first<WorkspaceRef>();
  if (stored === null) throw new Error("the workspace was not stored");
  await env.DB.prepare("INSERT INTO workspace_states (number, id, state) VALUES (?, ?, 'live')")
    .bind(stored.number, id)
    .run();
  return stored;
}

/** Reads all rows in one round trip. */
const readRows = ({ number }: WorkspaceRef) =>
  runBatch(directory(env), [
    bound<{ number: number; key: string; attributes: string }>(
      "SELECT number, kind || ':' || external_id AS key, attributes FROM accounts WHERE workspace = ?1",
      number,
    ),
    bound<{ number: number; key: string; account: number | null; via: string | null; pending: string | null }>(
      `SELECT number, external_id AS key, account, account_via AS via, pending_attributes AS pending
       FROM users WHERE workspace = ?1`,
      number,
    ),
    bound<{
      seq: number;
      source: string;
      messageId: string;
      type: string;
      account: number | null;
      user: number | null;
      event: string | null;
      properties: string | null;
      occurredAt: number;
      mapping: string | null;
    }>(
      `SELECT seq, source, message_id AS messageId, type, account, user, event, properties, occurred_at AS occurredAt, mapping
       FROM messages WHERE workspace = ?1 ORDER BY seq`,
      number,
    ),
    bound<{ user: number; account: number; at: number; seq: number }>(
      `SELECT user, account, grouped_at AS at, grouped_seq AS seq
       FROM memberships WHERE user IN (SELECT number FROM users WHERE workspace = ?1)`,
      number,
    ),
    bound<{ kind: string; subject: number; key: string; value: string | null; at: number; seq: number }>(
      `SELECT subject_kind AS kind, subject, key, value, occurred_at AS at, seq FROM traits
       WHERE (subject_kind = 'user' AND subject IN (SELECT number FROM users WHERE workspace = ?1))
         OR (subject_kind = 'account' AND subject IN (SELECT number FROM accounts WHERE workspace = ?1))`,
      number,
    ),
    bound<{ seq: number; code: string; messageId: string | null; userId: string | null }>(
      `SELECT seq, code, message_id AS messageId, user_id AS userId
       FROM rejections WHERE seq > ?1 << 32 AND seq < (?1 + 1) << 32 ORDER BY seq`,
      number,
    ),
    bound<{ code: string; count: number }>(
      "SELECT code, sum(count) AS count FROM rejection_counts WHERE workspace = ?1 GROUP BY code",
      number,
    ),
  ]);

const keyOf = (keys: Map<number, string>, key: number | null): string | null =>
  key === null ? null : (keys.get(key) ?? `unknown ${key}`);

export async function storedState(workspace: WorkspaceRef): Promise<Snapshot> {
  const [accounts, users, log, memberships, traits, rejections, counts] = await readRows(workspace);
  const base = workspace.number * BASE;
  const accountKey = new Map(accounts.results.map((row) => [row.number, row.key]));
  const userKey = new Map(users.results.map((row) => [row.number, row.key]));
  const relative = (attributes: string | null): Record<string, [unknown, number, number]> =>
    Object.fromEntries(
      Object.entries<[unknown, number, number]>(JSON.parse(attributes ?? "{}")).map(([name, [value, at, seq]]) => [
        name,
        [value, at, seq - base],
      ]),
    );
  return {
    log: log.results.map(({ seq, ...row }) => ({
      ...row,
      n: seq - base,
      account: keyOf(accountKey, row.account),
      user: keyOf(userKey, row.user),
      properties: row.properties === null ? null : JSON.parse(row.properties),
      mapping: row.mapping === null ? null : unpackMapping(JSON.parse(row.mapping)),
    })),
    accounts: Object.fromEntries(accounts.results.map((row) => [row.key, relative(row.attributes)])),
    users: Object.fromEntries(
      users.results.map((row) => [
        row.key,
        { account: keyOf(accountKey, row.account), via: row.via, pending: relative(row.pending) },
      ]),
    ),
    memberships: Object.fromEntries(
      memberships.results.map((row) => [
        `${keyOf(userKey, row.user)} ${keyOf(accountKey, row.account)}`,
        [row.at, row.seq - base],
      ]),
    ),
    traits: Object.fromEntries(
      traits.results.map((row) => [
        `${row.kind === "user" ? `user:${keyOf(userKey, row.subject)}` : keyOf(accountKey, row.subject)} ${row.key}`,
        [row.value === null ? null : JSON.parse(row.value), row.at, row.seq - base],
      ]),
    ),
    rejections: rejections.results.map(({ seq, ...row }) => ({ n: seq - base, ...row })),
    rejected: Object.fromEntries(counts.results.map(({ code, count }) => [code, count])),
  };
}

/** Reads all that is stored of a workspace, in the terms of the naive model. */
import { env } from "cloudflare:workers";

import type { WorkspaceRef } from "../../../src/db/database.ts";
import type { Snapshot } from "./naive-ingest.ts";

const BASE = 2 ** 32;

/** A workspace of its own for a test; no key opens it. */
export async function newWorkspace(): Promise<WorkspaceRef> {
  const id = `ws_${crypto.randomUUID()}`;
  await env.DB.prepare("INSERT INTO workspaces (id, name, write_limit, created_at) VALUES (?, 'test', 100, 0)").bind(id).run();
  const number = await env.DB.prepare("SELECT number FROM workspaces WHERE id = ?").bind(id).first<number>("number");
  if (number === null) throw new Error("the workspace was not stored");
  return { id, number };
}

export async function storedState(workspace: WorkspaceRef): Promise<Snapshot> {
  const { number } = workspace;
  const all = async <T>(sql: string) => (await env.DB.prepare(sql).bind(number).all<T>()).results;
  const base = number * BASE;

  const accounts = await all<{ number: number; key: string; attributes: string }>(
    "SELECT number, kind || ':' || external_id AS key, attributes FROM accounts WHERE workspace = ?1",
  );
  const users = await all<{ number: number; key: string; account: number | null; via: string | null; waiting: string | null }>(
    "SELECT number, external_id AS key, account, account_via AS via, waiting FROM users WHERE workspace = ?1",
  );
  const accountKey = new Map(accounts.map((row) => [row.number, row.key]));
  const userKey = new Map(users.map((row) => [row.number, row.key]));
  const keyOf = (keys: Map<number, string>, key: number | null) => (key === null ? null : (keys.get(key) ?? `unknown ${key}`));
  const relative = (attributes: string | null): Record<string, [unknown, number, number]> =>
    Object.fromEntries(
      Object.entries<[unknown, number, number]>(JSON.parse(attributes ?? "{}")).map(([name, [value, at, seq]]) => [name, [value, at, seq - base]]),
    );

  const log = await all<{ seq: number; id: string; type: string; account: number | null; user: number | null; event: string | null; at: number }>(
    "SELECT seq, message_id AS id, type, account, user, event, occurred_at AS at FROM messages WHERE workspace = ?1 ORDER BY seq",
  );
  const memberships = await all<{ user: number; account: number; at: number; seq: number }>(
    "SELECT user, account, m.grouped_at AS at, m.grouped_seq AS seq FROM memberships m WHERE user IN (SELECT number FROM users WHERE workspace = ?1)",
  );
  const traits = await all<{ kind: "account" | "user"; subject: number; key: string; value: string | null; at: number; seq: number }>(
    `SELECT subject_kind AS kind, subject, key, value, occurred_at AS at, seq FROM traits
     WHERE (subject_kind = 'user' AND subject IN (SELECT number FROM users WHERE workspace = ?1))
       OR (subject_kind = 'account' AND subject IN (SELECT number FROM accounts WHERE workspace = ?1))`,
  );
  return {
    log: log.map((row) => ({
      n: row.seq - base,
      messageId: row.id,
      type: row.type,
      account: keyOf(accountKey, row.account),
      user: keyOf(userKey, row.user),
      event: row.event,
      occurredAt: row.at,
    })),
    accounts: Object.fromEntries(accounts.map((row) => [row.key, relative(row.attributes)])),
    users: Object.fromEntries(
      users.map((row) => [row.key, { account: keyOf(accountKey, row.account), via: row.via, waiting: relative(row.waiting) }]),
    ),
    memberships: Object.fromEntries(
      memberships.map((row) => [`${keyOf(userKey, row.user)} ${keyOf(accountKey, row.account)}`, [row.at, row.seq - base]]),
    ),
    traits: Object.fromEntries(
      traits.map((row) => [
        `${row.kind === "user" ? `user:${keyOf(userKey, row.subject)}` : keyOf(accountKey, row.subject)} ${row.key}`,
        [row.value === null ? null : JSON.parse(row.value), row.at, row.seq - base],
      ]),
    ),
  };
}

/** Reads everything stored of a workspace, in the terms of the naive model. */
import { env } from "cloudflare:workers";

import type { WorkspaceRef } from "../../../src/db/client/database.ts";
import { unpackMapping } from "../../../src/db/ingest/stored-mapping.ts";
import type { Snapshot } from "./naive-ingest.ts";

const BASE = 2 ** 32;

/** Creates a workspace without keys. */
export async function newWorkspace(): Promise<WorkspaceRef> {
  const id = `ws_${crypto.randomUUID()}`;
  const number = await env.DB.prepare(
    "INSERT INTO workspaces (id, name, write_limit, created_at) VALUES (?, 'test', 100, 0) RETURNING number",
  )
    .bind(id)
    .first<number>("number");
  if (number === null) throw new Error("the workspace was not stored");
  return { id, number };
}

interface Rows {
  accounts: { number: number; key: string; attributes: string };
  users: { number: number; key: string; account: number | null; via: string | null; pending: string | null };
  log: {
    seq: number;
    source: string;
    id: string;
    type: string;
    account: number | null;
    user: number | null;
    event: string | null;
    properties: string | null;
    at: number;
    mapping: string | null;
  };
  memberships: { user: number; account: number; at: number; seq: number };
  traits: { kind: string; subject: number; key: string; value: string | null; at: number; seq: number };
  rejections: { seq: number; code: string; id: string | null; user: string | null };
  counts: { code: string; count: number };
}

/** Columns of each kind of row, and where to select them. */
const QUERIES: { [Name in keyof Rows]: { select: Record<keyof Rows[Name], string>; from: string } } = {
  accounts: {
    select: { number: "number", key: "kind || ':' || external_id", attributes: "attributes" },
    from: "accounts WHERE workspace = ?1",
  },
  users: {
    select: {
      number: "number",
      key: "external_id",
      account: "account",
      via: "account_via",
      pending: "pending_attributes",
    },
    from: "users WHERE workspace = ?1",
  },
  log: {
    select: {
      seq: "seq",
      source: "source",
      id: "message_id",
      type: "type",
      account: "account",
      user: "user",
      event: "event",
      properties: "properties",
      at: "occurred_at",
      mapping: "mapping",
    },
    from: "(SELECT * FROM messages WHERE workspace = ?1 ORDER BY seq)",
  },
  memberships: {
    select: { user: "user", account: "account", at: "grouped_at", seq: "grouped_seq" },
    from: "memberships WHERE user IN (SELECT number FROM users WHERE workspace = ?1)",
  },
  traits: {
    select: { kind: "subject_kind", subject: "subject", key: "key", value: "value", at: "occurred_at", seq: "seq" },
    from: `traits WHERE (subject_kind = 'user' AND subject IN (SELECT number FROM users WHERE workspace = ?1))
      OR (subject_kind = 'account' AND subject IN (SELECT number FROM accounts WHERE workspace = ?1))`,
  },
  rejections: {
    select: { seq: "seq", code: "code", id: "message_id", user: "user_id" },
    from: "(SELECT * FROM rejections WHERE seq > ?1 << 32 AND seq < (?1 + 1) << 32 ORDER BY seq)",
  },
  counts: {
    select: { code: "code", count: "count" },
    from: "(SELECT code, sum(count) AS count FROM rejection_counts WHERE workspace = ?1 GROUP BY code)",
  },
};

/** Reads all rows in one round trip, as one JSON array per table. */
async function readRows({ number }: WorkspaceRef): Promise<{ [Name in keyof Rows]: Rows[Name][] }> {
  const tables = Object.entries(QUERIES).map(([name, { select, from }]) => {
    const members = Object.entries(select).map(([key, expression]) => `'${key}', ${expression}`);
    return `'${name}', json((SELECT json_group_array(json_object(${members.join()})) FROM ${from}))`;
  });
  const text = await env.DB.prepare(`SELECT json_object(${tables.join()}) AS text`).bind(number).first<string>("text");
  return JSON.parse(text ?? "{}");
}

const keyOf = (keys: Map<number, string>, key: number | null): string | null =>
  key === null ? null : (keys.get(key) ?? `unknown ${key}`);

export async function storedState(workspace: WorkspaceRef): Promise<Snapshot> {
  const { accounts, users, log, memberships, traits, rejections, counts } = await readRows(workspace);
  const base = workspace.number * BASE;
  const accountKey = new Map(accounts.map((row) => [row.number, row.key]));
  const userKey = new Map(users.map((row) => [row.number, row.key]));
  const relative = (attributes: string | null): Record<string, [unknown, number, number]> =>
    Object.fromEntries(
      Object.entries<[unknown, number, number]>(JSON.parse(attributes ?? "{}")).map(([name, [value, at, seq]]) => [
        name,
        [value, at, seq - base],
      ]),
    );
  return {
    log: log.map((row) => ({
      n: row.seq - base,
      source: row.source,
      messageId: row.id,
      type: row.type,
      account: keyOf(accountKey, row.account),
      user: keyOf(userKey, row.user),
      event: row.event,
      properties: row.properties === null ? null : JSON.parse(row.properties),
      occurredAt: row.at,
      mapping: row.mapping === null ? null : unpackMapping(JSON.parse(row.mapping)),
    })),
    accounts: Object.fromEntries(accounts.map((row) => [row.key, relative(row.attributes)])),
    users: Object.fromEntries(
      users.map((row) => [
        row.key,
        { account: keyOf(accountKey, row.account), via: row.via, pending: relative(row.pending) },
      ]),
    ),
    memberships: Object.fromEntries(
      memberships.map((row) => [
        `${keyOf(userKey, row.user)} ${keyOf(accountKey, row.account)}`,
        [row.at, row.seq - base],
      ]),
    ),
    traits: Object.fromEntries(
      traits.map((row) => [
        `${row.kind === "user" ? `user:${keyOf(userKey, row.subject)}` : keyOf(accountKey, row.subject)} ${row.key}`,
        [row.value === null ? null : JSON.parse(row.value), row.at, row.seq - base],
      ]),
    ),
    rejections: rejections.map((row) => ({ n: row.seq - base, code: row.code, messageId: row.id, userId: row.user })),
    rejected: Object.fromEntries(counts.map(({ code, count }) => [code, count])),
  };
}

/** Looks up what a query names: accounts and users by external or internal id, and features by event name. */
import type { Dimension } from "../../../core/ask/query/dimensions.ts";
import type { Query } from "../../../core/ask/query/model.ts";
import type { Entity } from "../../../core/ask/query/result.ts";
import { foldName } from "../../../core/ask/names.ts";
import { columnsOf } from "../../client/columns-of.ts";
import type { Batch } from "../../client/batch.ts";
import { statement } from "../../client/statements.ts";
import { accounts, eventNames, users } from "../../schema/schema.ts";
import { isNotErased } from "../../users/erased-ids.ts";
import { TAIL_EVENTS } from "../tail.ts";
import {
  type AccountColumns,
  accountColumns,
  accountIn,
  featureOf,
  type UserColumns,
  userColumns,
  userIn,
} from "./entity-columns.ts";

const a = columnsOf(accounts, "a");
const e = columnsOf(eventNames);
const own = columnsOf(accounts);
const u = columnsOf(users, "u");
const user = columnsOf(users);

export interface NamedSubject {
  type: "account" | "user" | "feature";
  name: string;
}

/** ?2 lists `[type, name]`. An internal id comes first: a sender's id of the same form must not hide it. */
const SELECT_NAMED = `
SELECT n.type, n.name, n.number, ${accountColumns("a")}, ${userColumns("u")}
FROM (
  SELECT s.value ->> 0 AS type, s.value ->> 1 AS name, CASE s.value ->> 0
    WHEN 'account' THEN coalesce(
      (SELECT ${own.number} FROM ${own.table} WHERE ${own.id} = s.value ->> 1 AND ${own.workspace} = ?1 AND ${isNotErased(own.externalId)}),
      (SELECT ${own.number} FROM ${own.table} WHERE ${own.workspace} = ?1 AND ${own.kind} = 'company' AND ${own.externalId} = s.value ->> 1),
      (SELECT ${own.number} FROM ${own.table} WHERE ${own.workspace} = ?1 AND ${own.kind} = 'solo' AND ${own.externalId} = s.value ->> 1))
    WHEN 'user' THEN coalesce(
      (SELECT ${user.number} FROM ${user.table} WHERE ${user.id} = s.value ->> 1 AND ${user.workspace} = ?1 AND ${isNotErased(user.externalId)}),
      (SELECT ${user.number} FROM ${user.table} WHERE ${user.workspace} = ?1 AND ${user.externalId} = s.value ->> 1))
    ELSE coalesce(
      (SELECT ${e.number} FROM ${e.table} WHERE ${e.workspace} = ?1 AND ${e.name} = s.value ->> 1),
      (SELECT 0 FROM (${TAIL_EVENTS}) t WHERE t.event = s.value ->> 1 LIMIT 1))
    END AS number
  FROM json_each(?2) s
) n
LEFT JOIN ${a.table} ON n.type = 'account' AND ${a.number} = n.number
LEFT JOIN ${u.table} ON n.type = 'user' AND ${u.number} = n.number
WHERE n.number IS NOT NULL`;

interface NamedRow extends AccountColumns, UserColumns {
  type: string;
  name: string;
  number: number;
}

/** What a query names, as the database knows it. */
export interface Named {
  number: number;
  entity: Entity;
}

/** @returns finds what has a name; `undefined` if there is no such thing */
export function selectNamed(
  batch: Batch,
  named: readonly NamedSubject[],
): () => (subject: NamedSubject) => Named | undefined {
  const rows = batch.addStatement(
    statement<NamedRow>(SELECT_NAMED, JSON.stringify(named.map(({ type, name }) => [type, name]))),
  );
  return () => {
    const found = new Map(
      rows().map((row) => [`${row.type} ${row.name}`, { number: row.number, entity: entityOf(row) }]),
    );
    return ({ type, name }) => found.get(`${type} ${name}`);
  };
}

const entityOf = (row: NamedRow): Entity => accountIn(row) ?? userIn(row) ?? featureOf(row.name);

const TYPES: Readonly<Record<string, NamedSubject["type"]>> = { account: "account", user: "user", event: "feature" };

/** Everything that a query names. */
export function namedIn({ where, of = [], compare }: Query): NamedSubject[] {
  const inFilters = [...where, ...of].flatMap(({ dimension, is, isNot, in: several }) => {
    const type = TYPES[dimension];
    return type === undefined
      ? []
      : [is ?? [], isNot ?? [], several ?? []].flat().map((name) => ({ type, name: String(name) }));
  });
  const to = compare?.to;
  if (typeof to !== "object") return inFilters;
  if ("account" in to) return [...inFilters, { type: "account", name: to.account }];
  if ("user" in to) return [...inFilters, { type: "user", name: to.user }];
  return "feature" in to ? [...inFilters, { type: "feature", name: to.feature }] : inFilters;
}

/** The stored spellings of a text: those that differ only in case, accents or punctuation. */
export function spellingsOf({ values = [] }: Dimension, text: string): string[] {
  const key = foldName(text);
  return [...new Set([text, ...values.filter((value) => foldName(value) === key)])];
}

/** Looks up what a query names: accounts and users by external or internal id, and features by event name. */
import type { Dimension } from "../../../core/ask/query/dimensions.ts";
import type { Query } from "../../../core/ask/query/model.ts";
import { foldName } from "../../../core/ask/names.ts";
import { columnsOf } from "../../client/columns-of.ts";
import type { Batch } from "../../client/batch.ts";
import { statement } from "../../client/statements.ts";
import { accounts, eventNames, users } from "../../schema/schema.ts";
import { isNotErased } from "../../users/erased-ids.ts";
import { TAIL_EVENTS } from "../tail.ts";

const a = columnsOf(accounts);
const e = columnsOf(eventNames);
const u = columnsOf(users);

export interface NamedSubject {
  type: "account" | "user" | "feature";
  name: string;
}

/** ?2 lists `[type, name]`. An internal id comes first: a sender's id of the same form must not hide it. */
const SELECT_NAMED = `
SELECT s.value ->> 0 AS type, s.value ->> 1 AS name, CASE s.value ->> 0
  WHEN 'account' THEN coalesce(
    (SELECT ${a.number} FROM ${a.table} WHERE ${a.id} = s.value ->> 1 AND ${a.workspace} = ?1 AND ${isNotErased(a.externalId)}),
    (SELECT ${a.number} FROM ${a.table} WHERE ${a.workspace} = ?1 AND ${a.kind} = 'company' AND ${a.externalId} = s.value ->> 1),
    (SELECT ${a.number} FROM ${a.table} WHERE ${a.workspace} = ?1 AND ${a.kind} = 'solo' AND ${a.externalId} = s.value ->> 1))
  WHEN 'user' THEN coalesce(
    (SELECT ${u.number} FROM ${u.table} WHERE ${u.id} = s.value ->> 1 AND ${u.workspace} = ?1 AND ${isNotErased(u.externalId)}),
    (SELECT ${u.number} FROM ${u.table} WHERE ${u.workspace} = ?1 AND ${u.externalId} = s.value ->> 1))
  ELSE coalesce(
    (SELECT ${e.number} FROM ${e.table} WHERE ${e.workspace} = ?1 AND ${e.name} = s.value ->> 1),
    (SELECT 0 FROM (${TAIL_EVENTS}) t WHERE t.event = s.value ->> 1 LIMIT 1))
  END AS number
FROM json_each(?2) s`;

/** @returns the numbers by `type` and `name`; without an entry for what names nothing */
export function selectNamed(
  batch: Batch,
  named: readonly NamedSubject[],
): () => { numberOf: (subject: NamedSubject) => number | undefined } {
  const rows = batch.addStatement(
    statement<{ type: string; name: string; number: number | null }>(
      SELECT_NAMED,
      JSON.stringify(named.map(({ type, name }) => [type, name])),
    ),
  );
  return () => {
    const numbers = new Map(rows().map(({ type, name, number }) => [`${type} ${name}`, number ?? undefined]));
    return { numberOf: ({ type, name }) => numbers.get(`${type} ${name}`) };
  };
}

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

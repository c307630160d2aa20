/** Finds names by key, by prefix and by internal id, in the index and in the unfolded tail. */
import { nameKeys } from "../../core/ask/normalize-names.ts";
import {
  type FoundNames,
  type KnownName,
  MAX_PER_KEY,
  MAX_PER_PREFIX,
  type NameLookup,
} from "../../core/ask/reader/words/match-names.ts";
import type { Batch } from "../client/batch.ts";
import { isSuperseded } from "../client/sql-fragments.ts";
import { columnsOf } from "../client/columns-of.ts";
import { statement } from "../client/statements.ts";
import { isAgreed } from "../identity/agreement-sql.ts";
import { names } from "../schema/schema.ts";
import { isNotErased } from "../users/erased-ids.ts";
import { selectUnnamed } from "./name-rows.ts";
import { a, e, u } from "./query/aliases.ts";
import { accountIn, ENTITY_COLUMNS, type EntityRow, userIn } from "./query/entity-columns.ts";
import { IN_TAIL, TAIL_EVENTS } from "./tail.ts";

const n = columnsOf(names);

/** Whether people type a name. Each question takes the unfolded names and the event names apart that are so short. */
const isSpoken = (name: string): string => `length(${name}) <= 64`;

interface NamedRow extends EntityRow {
  number: number;
  isPersonal: number;
  key: string;
  isPart: number;
  isTruncated: number;
}

const COLUMNS = `${ENTITY_COLUMNS}, coalesce(${a.number}, ${u.number}) AS number,
  coalesce(${a.kind} = 'solo', 0) AS isPersonal`;

/** Personal accounts that their user has left aren't found. */
const IS_CURRENT = `NOT ${isSuperseded("a")}`;

/**
 * Selects the names in each range of keys, at most `most` for each. ?2 lists the ranges as `[from, to]`.
 * Identity traits aren't searched once the agreement is withdrawn.
 */
const selectByKey = (most: number): string => `
SELECT ${COLUMNS}, f.value ->> 0 AS key, f.value ->> 3 AS isPart, json_array_length(found) >= ${most} AS isTruncated
FROM (SELECT (
  SELECT json_group_array(json_array(k.key, k.kind, k.subject, k.isPart)) FROM (
    SELECT ${n.key} AS key, ${n.kind} AS kind, ${n.subject} AS subject, ${n.isPart} AS isPart FROM ${n.table}
    WHERE ${n.workspace} = ?1 AND ${n.key} BETWEEN s.value ->> 0 AND s.value ->> 1
      AND (${n.source} = 'external_id' OR ${isAgreed("?1")})
    ORDER BY ${n.key}, ${n.isPart} LIMIT ${most}
  ) k
) AS found FROM json_each(?2) s) CROSS JOIN json_each(found) f
LEFT JOIN ${a.table} ON f.value ->> 1 = 'account' AND ${a.number} = f.value ->> 2
LEFT JOIN ${u.table} ON f.value ->> 1 = 'user' AND ${u.number} = f.value ->> 2
WHERE (${isNotErased(a.externalId)} AND ${IS_CURRENT}) OR ${isNotErased(u.externalId)}`;

const BY_KEY = selectByKey(MAX_PER_KEY);
const BY_PREFIX = selectByKey(MAX_PER_PREFIX);

/** ?2 lists internal ids. Their keys are as `foldName` writes them. */
const BY_ID = `
SELECT ${COLUMNS}, replace(s.value, '_', ' ') AS key, 0 AS isPart, 0 AS isTruncated FROM json_each(?2) s
LEFT JOIN ${a.table} ON ${a.id} = s.value AND ${a.workspace} = ?1
LEFT JOIN ${u.table} ON ${u.id} = s.value AND ${u.workspace} = ?1
WHERE ${isNotErased(a.externalId)} OR ${isNotErased(u.externalId)}`;

/** New accounts, and new users, whose names a question reads before the fold. */
const MAX_UNFOLDED_NAMES = 1_000;

/** The text is a name. Its keys are made of it. */
const IN_TAIL_ONLY = `
SELECT ${COLUMNS}, 0 AS isTruncated, f.text AS text
FROM (${selectUnnamed(IN_TAIL, MAX_UNFOLDED_NAMES)}) f
LEFT JOIN ${a.table} ON f.kind = 'account' AND ${a.number} = f.subject
LEFT JOIN ${u.table} ON f.kind = 'user' AND ${u.number} = f.subject
WHERE ${isSpoken("f.text")} AND (${u.number} IS NOT NULL OR ${IS_CURRENT})`;

const LAST = "\u{10FFFF}";

export function selectNames(batch: Batch, { keys, prefixes, ids }: NameLookup): () => FoundNames {
  const list = (sql: string, values: readonly unknown[]) =>
    batch.addStatement(statement<NamedRow>(sql, JSON.stringify(values)));
  const byKey = list(
    BY_KEY,
    keys.map((key) => [key, key]),
  );
  const byPrefix = list(
    BY_PREFIX,
    prefixes.map((prefix) => [prefix, prefix + LAST]),
  );
  const byId = ids.length > 0 ? list(BY_ID, ids) : () => [];
  const tail = batch.addStatement(statement<Omit<NamedRow, "key" | "isPart"> & { text: string }>(IN_TAIL_ONLY));
  const sought = new Set(keys);
  return () => {
    const unfolded = tail().flatMap((row) =>
      nameKeys(row.text, "external_id").flatMap(({ key, isPart }) =>
        knownName({ ...row, key, isPart: Number(isPart) }),
      ),
    );
    return {
      byKey: [...[...byKey(), ...byId()].flatMap(knownName), ...unfolded.filter(({ key }) => sought.has(key))],
      byPrefix: [
        ...byPrefix().flatMap(knownName),
        ...unfolded.filter(({ key }) => prefixes.some((prefix) => key.startsWith(prefix))),
      ],
    };
  };
}

function knownName(row: NamedRow): KnownName[] {
  const { number, key } = row;
  const entity = accountIn(row) ?? userIn(row);
  const [isPersonal, isPart, isTruncated] = [row.isPersonal === 1, row.isPart === 1, row.isTruncated === 1];
  return entity === null ? [] : [{ ...entity, number, isPersonal, key, isPart, isTruncated }];
}

const MAX_EVENT_NAMES = 500;
const MAX_NEW_EVENT_NAMES = 100;

/** Selects the event names of the workspace: at most 500, and those that ?2 lists. */
const EVENT_NAMES = `
SELECT name FROM (
  SELECT ${e.name} AS name FROM ${e.table} WHERE ${e.workspace} = ?1 AND ${isSpoken(e.name)} LIMIT ${MAX_EVENT_NAMES}
)
UNION SELECT ${e.name} FROM json_each(?2) s CROSS JOIN ${e.table} ON ${e.workspace} = ?1 AND ${e.name} = s.value
UNION SELECT event FROM (SELECT DISTINCT event FROM (${TAIL_EVENTS}) WHERE ${isSpoken("event")} LIMIT ${MAX_NEW_EVENT_NAMES})`;

/** @param texts event names to find even beyond the limit */
export function selectEventNames(batch: Batch, texts: readonly string[]): () => string[] {
  const rows = batch.addStatement(statement<{ name: string }>(EVENT_NAMES, JSON.stringify(texts)));
  return () => rows().map(({ name }) => name);
}

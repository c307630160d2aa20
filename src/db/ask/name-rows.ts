/**
 * The names that questions find things by, on their way to the database: what is stored of a name, and the statements
 * that put it there and take it away. The fold writes those that messages bring; whoever attaches or removes an
 * identity trait writes those of people and companies by the same statements.
 */
import { foldName, gramsOf, spokenKey } from "../../core/ask/names.ts";
import { columnsOf } from "../client/columns-of.ts";
import { accounts, eventNames, type NAME_KINDS, type NAME_SOURCES, nameGrams, names, users } from "../schema/schema.ts";

export type NameKind = (typeof NAME_KINDS)[number];
export type NameSource = (typeof NAME_SOURCES)[number];

/** A name of something. `subject` is its number; 0 for a plan, and for a feature, which its event name tells. */
export interface Name {
  kind: NameKind;
  subject: number;
  source: NameSource;
  text: string;
}

/** As the statements take it. */
export type NameRow = readonly [
  kind: NameKind,
  subject: number,
  source: NameSource,
  text: string,
  key: string,
  grams: readonly string[],
];

const MIN_FUZZY_CHARACTERS = 4;
const DIGIT = /\p{N}/u;

/**
 * The trigrams that a misspelling is found by. A name with a digit has none: ids that differ in a digit are different
 * ids, and no misspellings of each other.
 */
export function fuzzyGrams(key: string): string[] {
  return Array.from(key).length < MIN_FUZZY_CHARACTERS || DIGIT.test(key) ? [] : gramsOf(key);
}

/** A name as it is stored; an event name twice, since it is said in other words than it is written. */
export function nameRows({ kind, subject, source, text }: Name): NameRow[] {
  const key = foldName(text);
  const row: NameRow = [kind, subject, source, text, key, kind === "plan" ? [] : fuzzyGrams(key)];
  return kind === "feature" ? [row, [kind, subject, "spoken", text, spokenKey(text), []]] : [row];
}

const a = columnsOf(accounts);
const e = columnsOf(eventNames);
const g = columnsOf(nameGrams);
const n = columnsOf(names);
const u = columnsOf(users);

/** Selects the number of an account or user, if it still has the external id that the name was made of. */
const numberIn = ({ table, number, workspace, externalId }: typeof a | typeof u) => `(
  SELECT ${number} FROM ${table} WHERE ${number} = r.value ->> 1 AND ${workspace} = ?1
    AND (r.value ->> 2 <> 'external_id' OR ${externalId} = r.value ->> 3))`;

/** The number of what a row names. */
const SUBJECT = `CASE r.value ->> 0
  WHEN 'account' THEN ${numberIn(a)}
  WHEN 'user' THEN ${numberIn(u)}
  WHEN 'feature' THEN (SELECT ${e.number} FROM ${e.table} WHERE ${e.workspace} = ?1 AND ${e.name} = r.value ->> 3)
  ELSE 0 END`;

/**
 * Statements that store names, and that change nothing where they are stored: ?1 the workspace's number, ?2 rows as
 * JSON.
 * @param condition of the write, which may use further parameters
 */
export const insertNamesSql = (condition: string): string[] => [
  `
INSERT INTO ${n.table} (${n.workspace}, ${n.key}, ${n.kind}, ${n.subject}, ${n.source}, ${n.text})
SELECT ?1, key, kind, subject, source, text
FROM (
  SELECT r.value ->> 4 AS key, r.value ->> 0 AS kind, ${SUBJECT} AS subject, r.value ->> 2 AS source, r.value ->> 3 AS text
  FROM json_each(?2) r
)
WHERE subject IS NOT NULL AND ${condition}
ON CONFLICT DO NOTHING`,
  `
INSERT INTO ${g.table} (${g.workspace}, ${g.gram}, ${g.kind}, ${g.subject}, ${g.key})
SELECT ?1, gram, kind, subject, key
FROM (
  SELECT g.value AS gram, r.value ->> 0 AS kind, ${SUBJECT} AS subject, r.value ->> 4 AS key
  FROM json_each(?2) r CROSS JOIN json_each(r.value, '$[5]') g
)
WHERE subject IS NOT NULL AND ${condition}
ON CONFLICT DO NOTHING`,
];

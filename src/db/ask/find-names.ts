/**
 * Finds names by key, by prefix and by internal id, in the index and in the unfolded tail. SQL text, because one set-based
 * statement finds all names of a kind.
 */
import { nameKeys } from "../../core/ask/normalize-names.ts";
import {
  type FoundNames,
  type KnownName,
  MAX_PER_KEY,
  MAX_PER_PREFIX,
  type NameLookup,
} from "../../core/ask/reader/words/match-names.ts";
import type { Batch } from "../client/batch.ts";
import { columnsOf } from "../client/columns-of.ts";
import { expression } from "../client/expression.ts";
import { prepareQuery, type RowOf } from "../client/prepare.ts";
import { isSuperseded } from "../client/sql-fragments.ts";
import { isAgreed } from "../identity/agreement-sql.ts";
import { names } from "../schema/schema.ts";
import { isNotErased } from "../users/erased-ids.ts";
import { selectUnnamed } from "./name-rows.ts";
import { account, eventName, user } from "./query/aliases.ts";
import { accountIn, ENTITY, joinEntity, userIn } from "./query/entity-columns.ts";
import { inTail, tailEvents } from "./tail.ts";

const name = columnsOf(names, "name");

/** Whether people would type a name. Each question splits the unfolded names and the event names of this length. */
const isSpoken = (text: string): string => `length(${text}) <= 64`;

/** The columns of an `account` or a `user` that was found, and how it was found. */
const foundBy = (key: string, isPart: string, isTruncated: string) => ({
  ...ENTITY,
  number: expression<number>(`coalesce(${account.number}, ${user.number})`),
  isPersonal: expression<number>(`coalesce(${account.kind} = 'solo', 0)`),
  key: expression<string>(key),
  isPart: expression<number>(isPart),
  isTruncated: expression<number>(isTruncated),
});
type FoundRow = RowOf<ReturnType<typeof foundBy>>;

/** This doesn't find personal accounts that their user has left. */
const IS_CURRENT = `NOT ${isSuperseded("account")}`;

/**
 * Selects the names in each range of keys, at most `most` for each. `:ranges` lists them as `[from, through]`.
 * Identity traits aren't searched once the agreement is withdrawn.
 */
const selectByKey = (most: number) =>
  prepareQuery(
    foundBy("found.value ->> 0", "found.value ->> 3", `json_array_length(list) >= ${most}`),
    (columns) => `
SELECT ${columns}
FROM (SELECT (
  SELECT json_group_array(json_array(first.key, first.kind, first.subject, first.isPart)) FROM (
    SELECT ${name.key} AS key, ${name.kind} AS kind, ${name.subject} AS subject, ${name.isPart} AS isPart
    FROM ${name.table}
    WHERE ${name.workspace} = :workspace AND ${name.key} BETWEEN range.value ->> 0 AND range.value ->> 1
      AND (${name.source} = 'external_id' OR ${isAgreed(":workspace")})
    ORDER BY ${name.key}, ${name.isPart} LIMIT ${most}
  ) first
) AS list FROM json_each(:ranges) range) CROSS JOIN json_each(list) found
${joinEntity("found.value ->> 1", "found.value ->> 2")}
WHERE (${isNotErased(account.externalId)} AND ${IS_CURRENT}) OR ${isNotErased(user.externalId)}`,
  );

const SELECT_BY_KEY = selectByKey(MAX_PER_KEY);
const SELECT_BY_PREFIX = selectByKey(MAX_PER_PREFIX);

/** `:ids` lists internal ids. Their keys are as `foldName` writes them. */
const SELECT_BY_ID = prepareQuery(
  foundBy("replace(sought.value, '_', ' ')", "0", "0"),
  (columns) => `
SELECT ${columns} FROM json_each(:ids) sought
LEFT JOIN ${account.table} ON ${account.id} = sought.value AND ${account.workspace} = :workspace
LEFT JOIN ${user.table} ON ${user.id} = sought.value AND ${user.workspace} = :workspace
WHERE ${isNotErased(account.externalId)} OR ${isNotErased(user.externalId)}`,
);

/** New accounts, and new users, whose names a question reads before the fold. */
const MAX_UNFOLDED_NAMES = 1_000;

/** Selects whole names. `nameKeys` makes keys of them. */
const SELECT_UNFOLDED = prepareQuery(
  foundBy("unnamed.text", "0", "0"),
  (columns) => `
SELECT ${columns}
FROM (${selectUnnamed(inTail(":workspace"), MAX_UNFOLDED_NAMES)}) unnamed
${joinEntity("unnamed.kind", "unnamed.subject")}
WHERE ${isSpoken("unnamed.text")} AND (${user.number} IS NOT NULL OR ${IS_CURRENT})`,
);

const LAST = "\u{10FFFF}";

export function selectNames(batch: Batch, { keys, prefixes, ids }: NameLookup): () => FoundNames {
  const byKey = batch.add(SELECT_BY_KEY, { ranges: JSON.stringify(keys.map((key) => [key, key])) });
  const byPrefix = batch.add(SELECT_BY_PREFIX, {
    ranges: JSON.stringify(prefixes.map((prefix) => [prefix, prefix + LAST])),
  });
  const byId = ids.length > 0 ? batch.add(SELECT_BY_ID, { ids: JSON.stringify(ids) }) : () => [];
  const tail = batch.add(SELECT_UNFOLDED);
  const sought = new Set(keys);
  return () => {
    const unfolded = tail().flatMap((row) =>
      nameKeys(row.key, "external_id").flatMap(({ key, isPart }) => knownName({ ...row, key, isPart: Number(isPart) })),
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

function knownName(row: FoundRow): KnownName[] {
  const { number, key } = row;
  const entity = accountIn(row) ?? userIn(row);
  const [isPersonal, isPart, isTruncated] = [row.isPersonal === 1, row.isPart === 1, row.isTruncated === 1];
  return entity === null ? [] : [{ ...entity, number, isPersonal, key, isPart, isTruncated }];
}

const MAX_EVENT_NAMES = 500;
const MAX_NEW_EVENT_NAMES = 100;

/** Selects the event names of the workspace: at most 500, and those that `:texts` lists. */
const SELECT_EVENT_NAMES = prepareQuery(
  { name: expression<string>("name") },
  (columns) => `
SELECT ${columns} FROM (
  SELECT ${eventName.name} AS name FROM ${eventName.table}
  WHERE ${eventName.workspace} = :workspace AND ${isSpoken(eventName.name)} LIMIT ${MAX_EVENT_NAMES}
)
UNION SELECT ${eventName.name} FROM json_each(:texts) sought
CROSS JOIN ${eventName.table} ON ${eventName.workspace} = :workspace AND ${eventName.name} = sought.value
UNION SELECT event FROM (
  SELECT DISTINCT event FROM (${tailEvents(":workspace")}) WHERE ${isSpoken("event")} LIMIT ${MAX_NEW_EVENT_NAMES}
)`,
);

/** @param texts event names to find even beyond the limit */
export function selectEventNames(batch: Batch, texts: readonly string[]): () => string[] {
  const rows = batch.add(SELECT_EVENT_NAMES, { texts: JSON.stringify(texts) });
  return () => rows().map((row) => row.name);
}

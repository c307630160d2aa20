/**
 * Removes names in the same transaction as the traits they come from, so that no name outlives its trait, whatever is
 * attached at the same time. ask/name-rows.ts stores names.
 */
import { MAX_FUZZY_CHARACTERS } from "../../core/ask/names.ts";
import { columnsOf } from "../client/columns-of.ts";
import { nameGrams, names } from "../schema/schema.ts";

const g = columnsOf(nameGrams);
const n = columnsOf(names, "n");
const name = columnsOf(names);
const o = columnsOf(names, "o");

/** The positions of the trigrams of the longest key that has any. */
const PLACES = JSON.stringify(Array.from({ length: MAX_FUZZY_CHARACTERS + 1 }, (_, place) => place + 1));

/**
 * Builds statements that delete names, and their trigrams unless another name of the same subject needs them. ?1 is the
 * workspace's number.
 * @param removed selects kind, subject and source of the names, and the same rows every time
 * @param condition of the write
 */
export const deleteNamesSql = (removed: string, condition: string): string[] => [
  `
DELETE FROM ${g.table} WHERE (${g.workspace}, ${g.gram}, ${g.kind}, ${g.subject}, ${g.key}) IN (
  SELECT ${n.workspace}, substr('  ' || ${n.key} || ' ', p.value, 3), ${n.kind}, ${n.subject}, ${n.key}
  FROM (${removed}) r
  CROSS JOIN ${n.table} ON ${n.workspace} = ?1 AND ${n.kind} = r.kind AND ${n.subject} = r.subject AND ${n.source} = r.source
  CROSS JOIN json_each('${PLACES}') p
  WHERE p.value <= length(${n.key}) + 1 AND NOT EXISTS (
    SELECT 1 FROM ${o.table}
    WHERE ${o.workspace} = ?1 AND ${o.key} = ${n.key} AND ${o.kind} = ${n.kind} AND ${o.subject} = ${n.subject}
      AND (${o.kind}, ${o.subject}, ${o.source}) NOT IN (SELECT kind, subject, source FROM (${removed}))
  )
) AND ${condition}`,
  `
DELETE FROM ${name.table} WHERE (${name.workspace}, ${name.kind}, ${name.subject}, ${name.source}) IN (
  SELECT ?1, kind, subject, source FROM (${removed})
) AND ${condition}`,
];

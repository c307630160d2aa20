/**
 * Taking names away by what they name and where they came from, in SQL alone: it happens in the transaction that takes
 * away what they were made of, so that no name outlives its trait, whatever is attached at the same time. Names are
 * stored by the statements of ask/name-rows.ts.
 */
import { MAX_FUZZY_CHARACTERS } from "../../core/ask/names.ts";

/** The places of the trigrams of the longest key that has any. */
const PLACES = JSON.stringify(Array.from({ length: MAX_FUZZY_CHARACTERS + 1 }, (_, place) => place + 1));

/**
 * Statements that take names away, with their trigrams but for those that another name of the same thing needs. ?1 is
 * the workspace's number.
 * @param removed selects kind, subject and source of the names; the same rows each time it runs
 * @param condition of the write
 */
export const deleteNamesSql = (removed: string, condition: string): string[] => [
  `
DELETE FROM name_grams WHERE (workspace, gram, kind, subject, key) IN (
  SELECT n.workspace, substr('  ' || n.key || ' ', p.value, 3), n.kind, n.subject, n.key
  FROM (${removed}) r
  CROSS JOIN names n ON n.workspace = ?1 AND n.kind = r.kind AND n.subject = r.subject AND n.source = r.source
  CROSS JOIN json_each('${PLACES}') p
  WHERE p.value <= length(n.key) + 1 AND NOT EXISTS (
    SELECT 1 FROM names o
    WHERE o.workspace = ?1 AND o.key = n.key AND o.kind = n.kind AND o.subject = n.subject
      AND (o.kind, o.subject, o.source) NOT IN (SELECT kind, subject, source FROM (${removed}))
  )
) AND ${condition}`,
  `
DELETE FROM names WHERE (workspace, kind, subject, source) IN (SELECT ?1, kind, subject, source FROM (${removed}))
AND ${condition}`,
];

import { type Form, FORMS, oneLine } from "./statement-forms-sql.ts";

/** Makes the time of every year from 0 to 9999 positive, so that its zero-padded text sorts like the number. */
const BEFORE_ALL_TIMES_MS = 1_000_000_000_000_000;

/** Whether a candidate `c` is later than the stored attribute of its name. */
const isNewer = (stored: string) => `(${stored} -> c.name IS NULL
  OR (c.occurred_at, c.seq) > (${stored} ->> ('$.' || c.name || '[1]'), ${stored} ->> ('$.' || c.name || '[2]')))`;

/**
 * Merges attributes into a JSON column of the shape name → `[value, occurredAt, seq]`. The latest value of each name
 * wins.
 * @param target the table, its JSON column and its key
 * @param candidates selects owner, name, value (JSON text), occurred_at and seq; of one message, each name once
 */
export function mergeAttributes(
  form: Form,
  { table, column, number }: { table: string; column: string; number: string },
  candidates: string,
): string {
  const patch = "json_group_object(c.name, json_array(json(c.value), c.occurred_at, c.seq))";
  const own = `coalesce(${table}.${column}, '{}')`;
  // Reads nothing more when there are no candidates, as for most messages. UPDATE … FROM would.
  if (form === FORMS.one)
    return oneLine`
UPDATE ${table} SET ${column} = json_patch(${own}, (SELECT ${patch} FROM (${candidates}) c WHERE ${isNewer(own)}))
WHERE ${table}.${number} = (SELECT owner FROM (${candidates}) LIMIT 1)
  AND EXISTS (SELECT 1 FROM (${candidates}) c WHERE ${isNewer(own)})`;
  return oneLine`
UPDATE ${table} SET ${column} = json_patch(${own}, merged.patch)
FROM (
  SELECT c.owner, ${patch} AS patch
  FROM (
    SELECT owner, name, value, occurred_at, seq, max(printf('%020d %020d', occurred_at + ${String(BEFORE_ALL_TIMES_MS)}, seq))
    FROM (${candidates})
    GROUP BY owner, name
  ) c CROSS JOIN ${table} o ON o.${number} = c.owner
  WHERE ${isNewer(`coalesce(o.${column}, '{}')`)}
  GROUP BY c.owner
) merged
WHERE ${table}.${number} = merged.owner`;
}

/** Names that the database finds for a question's spans: by id, by folded and spoken form, and by trigrams. */
import type { KnownName } from "../../core/ask/model.ts";
import { foldName } from "../../core/ask/names.ts";
import type { LookUps } from "../../core/ask/question/look-ups.ts";
import { isAgreed } from "../identity/agreement-sql.ts";
import type { Batch, Row } from "../client/batch.ts";
import { isNotErased } from "../users/erased-ids.ts";
import { ENTITY_COLUMNS, identityOf, isSuperseded } from "./entity-rows.ts";
import { knownName, type RankedName } from "./known-name.ts";
import { slipFinder, soughtSpans } from "./slips.ts";

/** What was found: names, and plans as they were sent. */
export interface StoredNames {
  names: RankedName[];
  plans: string[];
}

/** More names than that of one question can't be told apart: then none of them is known. */
const MAX_NAMED = 500;
const MAX_FUZZY = 200;
/** A trigram that more names share tells little, and is passed over. */
const MAX_GRAM_NAMES = 200;

const INTERNAL_ID = /^(?:acc|usr)_[0-9a-f]{24}$/;

const accountColumns = `${ENTITY_COLUMNS.account("a")}, a.kind AS account_kind`;
const userColumns = `${ENTITY_COLUMNS.user("u")}, NULL AS account_kind`;

/** By external ids. Of a company and an account of one that share theirs, both; a superseded one is named by its own id alone. */
const BY_EXTERNAL_ID = `
SELECT ${accountColumns} FROM json_each(?2) s
CROSS JOIN accounts a ON a.workspace = ?1 AND a.kind IN ('company', 'solo') AND a.external_id = s.value
WHERE NOT ${isSuperseded("a")}
UNION ALL
SELECT ${userColumns} FROM json_each(?2) s CROSS JOIN users u ON u.workspace = ?1 AND u.external_id = s.value
UNION ALL
SELECT 'feature', e.number, e.name, e.name, NULL, NULL
FROM json_each(?2) s CROSS JOIN event_names e ON e.workspace = ?1 AND e.name = s.value`;

/** By internal ids. Nobody can ask for a user who was erased. */
const BY_INTERNAL_ID = `
SELECT ${accountColumns} FROM json_each(?2) s CROSS JOIN accounts a ON a.id = s.value
WHERE a.workspace = ?1 AND ${isNotErased("a.external_id")}
UNION ALL
SELECT ${userColumns} FROM json_each(?2) s CROSS JOIN users u ON u.id = s.value
WHERE u.workspace = ?1 AND ${isNotErased("u.external_id")}`;

/** Of names `n`: what they name. */
const NAMED_COLUMNS = `n.kind, n.subject AS number, n.source, n.text, coalesce(a.id, u.id, e.name) AS id,
  coalesce(a.external_id, u.external_id, e.name) AS external_id, a.kind AS account_kind,
  CASE n.kind WHEN 'account' THEN ${identityOf("account", "n.subject", "company")}
    WHEN 'user' THEN ${identityOf("user", "n.subject", "name")} END AS name`;
const NAMED_TABLES = `
  LEFT JOIN accounts a ON n.kind = 'account' AND a.number = n.subject
  LEFT JOIN users u ON n.kind = 'user' AND u.number = n.subject
  LEFT JOIN event_names e ON n.kind = 'feature' AND e.number = n.subject`;
/** And whether it is still there, by that name, and no account of one that its user has left. Identity traits name nobody once their agreement is withdrawn. */
const IS_NAMED = `(n.kind = 'plan' OR u.number IS NOT NULL OR e.number IS NOT NULL OR a.number IS NOT NULL AND NOT ${isSuperseded("a")})
  AND (n.source <> 'external_id' OR n.text = coalesce(a.external_id, u.external_id))
  AND (n.source NOT IN ('company', 'name', 'email') OR ${isAgreed("?1")})`;

/** By key: ?2 lists folded forms, ?3 spoken ones. */
const BY_KEY = `
SELECT ${NAMED_COLUMNS}
FROM (
  SELECT s.value AS key, 0 AS spoken FROM json_each(?2) s UNION ALL SELECT s.value, 1 FROM json_each(?3) s
) s CROSS JOIN names n ON n.workspace = ?1 AND n.key = s.key AND (n.source = 'spoken') = s.spoken ${NAMED_TABLES}
WHERE ${IS_NAMED}
LIMIT ${MAX_NAMED + 1}`;

/**
 * By trigrams: ?2 lists spans as `[trigrams that its edits may cost, trigrams]`. A name that lies within reach shares
 * all but those with the span; a span with no more trigrams than may be lost finds nothing.
 */
const BY_GRAMS = `
WITH spans AS MATERIALIZED (
  SELECT s.key AS span, s.value ->> 0 AS lost, g.value AS gram
  FROM json_each(?2) s CROSS JOIN json_each(s.value, '$[1]') g
), telling AS MATERIALIZED (
  SELECT d.gram FROM (SELECT DISTINCT gram FROM spans) d
  WHERE (SELECT count(*) FROM (
    SELECT 1 FROM name_grams c WHERE c.workspace = ?1 AND c.gram = d.gram LIMIT ${MAX_GRAM_NAMES + 1}
  )) <= ${MAX_GRAM_NAMES}
), kept AS MATERIALIZED (
  SELECT s.span, s.gram, count(*) OVER (PARTITION BY s.span) - s.lost AS least
  FROM spans s CROSS JOIN telling t ON t.gram = s.gram
), hits AS MATERIALIZED (
  SELECT t.gram, ng.kind, ng.subject, ng.key
  FROM telling t CROSS JOIN name_grams ng ON ng.workspace = ?1 AND ng.gram = t.gram
), near AS (
  SELECT DISTINCT kind, subject, key FROM (
    SELECT h.kind, h.subject, h.key FROM kept k CROSS JOIN hits h ON h.gram = k.gram
    WHERE k.least > 0
    GROUP BY k.span, h.kind, h.subject, h.key HAVING count(*) >= k.least
  )
)
SELECT ${NAMED_COLUMNS}
FROM near h CROSS JOIN names n ON n.workspace = ?1 AND n.key = h.key AND n.kind = h.kind AND n.subject = h.subject
  AND n.source <> 'spoken' ${NAMED_TABLES}
WHERE ${IS_NAMED}
LIMIT ${MAX_FUZZY + 1}`;

export function selectNames(batch: Batch, lookUps: LookUps): () => StoredNames {
  const ids = batch.add(BY_EXTERNAL_ID, JSON.stringify(lookUps.exact));
  const internal = batch.add(BY_INTERNAL_ID, JSON.stringify(lookUps.exact.filter((span) => INTERNAL_ID.test(span))));
  const keyed = batch.add(BY_KEY, JSON.stringify(lookUps.folded), JSON.stringify(lookUps.spoken));
  const sought = soughtSpans(lookUps.fuzzy);
  const near = batch.add(BY_GRAMS, JSON.stringify(sought.map(({ lost, grams }) => [lost, grams])));
  const { isSlip } = slipFinder(sought);
  return () => {
    const named = [
      ...unlessMore(keyed(), MAX_NAMED),
      ...unlessMore(near(), MAX_FUZZY).filter(({ text }) => isSlip(foldName(String(text)))),
    ];
    const plans = named.filter(({ kind }) => kind === "plan").map(({ text }) => String(text));
    return {
      names: [
        ...ids().map((row) => knownName(row, row["kind"] === "feature" ? "event" : "external_id")),
        ...internal().map((row) => knownName(row, "internal_id")),
        ...named.filter(({ kind }) => kind !== "plan").map((row) => knownName(row, sourceIn(row))),
      ],
      plans: [...new Set(plans)],
    };
  };
}

/** Of more rows than that not all are here, so that none of them can be told to be the only one. */
const unlessMore = (rows: readonly Row[], most: number): readonly Row[] => (rows.length > most ? [] : rows);

/** An event name is one however it was found. */
const sourceIn = ({ source }: Row): KnownName["source"] =>
  source === "company" || source === "name" || source === "email" || source === "external_id" ? source : "event";

/**
 * Reads the console's pages of features: which events there are, and which accounts use one, stopped or never did. No index
 * leads from an event to its accounts, so a page reads the summaries of all accounts. The more accounts are active, the fewer
 * days it reads. SQL text, because one materialized set of uses is counted in several ways.
 */
import type { Day } from "../../core/health/model.ts";
import { account, accountDay, eventName, health, workspaceDay } from "../ask/query/aliases.ts";
import { countOfAll } from "../ask/query/uses-sql.ts";
import type { WorkspaceRef } from "../client/database.ts";
import { expression } from "../client/expression.ts";
import { prepareQuery } from "../client/prepare.ts";
import { readStatements } from "../client/read.ts";
import { beside, isSuperseded } from "../client/sql-fragments.ts";
import { isAgreed } from "../identity/agreement-sql.ts";
import { columnsOf } from "../client/columns-of.ts";
import { identityTraits } from "../schema/schema.ts";

export const RECENT_DAYS = 28;
const WEEKS = 12;
const WEEK_DAYS = 7;
/** An account is listed as using, as having stopped, or as never having used a feature. */
export const MAX_LISTED = 50;
const MAX_FEATURES = 100;
/** Senders that put ids into event names have more; the list has the first of them. */
const MAX_NAMES = 5_000;
/**
 * The most summaries, one for each account and active day, that the list takes apart and that a feature's page looks into. The page
 * reads each account about twelve times as well, and all within what a question may read (`MAX_READ_UNITS`).
 */
const MAX_LISTED_SUMMARIES = 50_000;
/** The most features in them: senders that put ids into event names have hundreds a day. */
const MAX_LISTED_USES = 500_000;
const MAX_SUMMARIES = `max(0, 400000 - 6 * ${countOfAll(account)})`;

const trait = columnsOf(identityTraits, "trait");

/** The first of the days before `:through` whose summaries are not too many, as `first`. */
const firstDay = (from: string, most: number | string): string => `bounds AS MATERIALIZED (
  SELECT coalesce(max(day) + 1, ${from}) AS first FROM (
    SELECT ${workspaceDay.day} AS day,
      sum(coalesce(${workspaceDay.accounts}, ${workspaceDay.events})) OVER (ORDER BY ${workspaceDay.day} DESC) AS total
    FROM ${workspaceDay.table}
    WHERE ${workspaceDay.workspace} = :workspace AND ${workspaceDay.day} BETWEEN ${from} AND :through
  ) WHERE total > ${most}
)`;

const SUMMARIES = `bounds CROSS JOIN ${account.table} ON ${account.workspace} = :workspace
  CROSS JOIN ${accountDay.table} ON ${accountDay.account} = ${account.number} AND ${accountDay.day} BETWEEN first AND :through`;

const SELECT_LIST = prepareQuery(
  {
    number: expression<number>(`${eventName.number} & 0xffffffff`),
    name: eventName.name,
    lastDay: eventName.lastDay,
    accounts: expression<number>("used.accounts"),
    events: expression<number>("used.events"),
    /** The first day that was counted, and the accounts active since. */
    since: expression<Day>("(SELECT first FROM bounds)"),
    activeAccounts: expression<number>(`(SELECT count(DISTINCT ${accountDay.account}) FROM ${SUMMARIES})`),
  },
  (columns) => `
WITH ${firstDay(`:through - ${RECENT_DAYS - 1}`, MAX_LISTED_SUMMARIES)},
used AS MATERIALIZED (
  SELECT ${beside("account", "name")} AS event, count(DISTINCT account) AS accounts, sum(events) AS events
  FROM (
    SELECT ${accountDay.account} AS account, entry.key AS name, entry.value ->> 0 AS events
    FROM ${SUMMARIES} CROSS JOIN json_each(${accountDay.features}) entry LIMIT ${MAX_LISTED_USES}
  ) GROUP BY name
)
SELECT ${columns} FROM ${eventName.table} LEFT JOIN used ON used.event = ${eventName.number}
WHERE ${eventName.number} BETWEEN (:workspace << 32) + 1 AND (:workspace << 32) + ${MAX_NAMES}
ORDER BY used.accounts DESC, ${eventName.lastDay} DESC, ${eventName.name} LIMIT ${MAX_FEATURES}`,
);

/** @param through the last complete day */
export async function listFeatures(env: Env, workspace: WorkspaceRef, through: Day) {
  const [{ results }] = await readStatements(env, workspace, [
    SELECT_LIST.bind({ workspace: workspace.number, through }),
  ]);
  return results;
}

const EVENT = `event AS MATERIALIZED (
  SELECT * FROM (
    SELECT ${eventName.number} AS number, 0 AS place FROM ${eventName.table}
    WHERE ${eventName.workspace} = :workspace AND ${eventName.name} = :event
    UNION ALL
    SELECT ${eventName.number}, 1 FROM ${eventName.table}
    WHERE ${eventName.workspace} = :workspace AND ${eventName.number} = (:workspace << 32) + CAST(:event AS INTEGER)
      AND :event NOT GLOB '*[^0-9]*'
  ) ORDER BY place LIMIT 1
)`;

const SELECT_EVENT = prepareQuery(
  { name: eventName.name, firstDay: eventName.firstDay, lastDay: eventName.lastDay },
  (columns) =>
    `WITH ${EVENT} SELECT ${columns} FROM event JOIN ${eventName.table} ON ${eventName.number} = event.number`,
);

const COMPANY = `(SELECT ${trait.value} FROM ${trait.table} WHERE ${trait.workspace} = :workspace
  AND ${trait.subjectKind} = 'account' AND ${trait.subject} = listed.number AND ${trait.key} = 'company'
  AND :withIdentity AND ${isAgreed(":workspace")})`;

/** Summaries name an event by a key such as `"17":`, which occurs nowhere else in them. Searching the text parses none. */
const SELECT_ADOPTION = prepareQuery(
  { part: expression<string>("part"), json: expression<string>("json") },
  (columns) => `
WITH ${EVENT}, ${firstDay(`:through - ${WEEKS * WEEK_DAYS - 1}`, MAX_SUMMARIES)},
uses AS MATERIALIZED (
  SELECT ${account.number} AS account, CAST((:through - ${accountDay.day}) / ${WEEK_DAYS} AS INTEGER) AS week, max(${accountDay.day}) AS last_day
  FROM event CROSS JOIN ${SUMMARIES}
  WHERE instr(${accountDay.features}, '"' || (event.number & 0xffffffff) || '":') > 0
  GROUP BY 1, 2
),
listed AS (
  SELECT *, row_number() OVER (PARTITION BY part ORDER BY mrr DESC, number) AS place FROM (
    SELECT ${account.number} AS number, ${account.attributes} ->> '$.mrr[0]' AS mrr, last.day AS last_day,
      CASE WHEN last.day > :through - ${RECENT_DAYS} THEN 'using' WHEN last.day IS NULL THEN 'never' ELSE 'stopped' END AS part
    FROM event CROSS JOIN ${account.table} ON ${account.workspace} = :workspace
    LEFT JOIN (SELECT account, max(last_day) AS day FROM uses GROUP BY account) last ON last.account = ${account.number}
    LEFT JOIN ${health.table} ON ${health.workspace} = :workspace AND ${health.account} = ${account.number}
    WHERE ${health.state} IS NOT 'churned' AND NOT ${isSuperseded("account")}
  )
)
SELECT ${columns} FROM (
  SELECT 'from' AS part, (SELECT first FROM bounds) AS json
  UNION ALL
  SELECT 'weeks', json_group_array(json_array(week, accounts))
  FROM (SELECT week, count(*) AS accounts FROM uses GROUP BY week)
  UNION ALL
  SELECT part, json_object('total', max(place), 'first', json_group_array(json((
    SELECT json_object('id', ${account.id}, 'externalId', iif(${account.externalId} < ' ', NULL, ${account.externalId}),
      'company', ${COMPANY}, 'lastDay', last_day, 'mrr', mrr, 'currency', ${account.attributes} ->> '$.currency[0]')
    FROM ${account.table} WHERE ${account.number} = listed.number)) ORDER BY place) FILTER (WHERE place <= ${MAX_LISTED}))
  FROM listed GROUP BY part
)`,
);

export interface FeatureAccount {
  id: string;
  externalId: string | null;
  company: string | null;
  /** The last day on which it used the feature. */
  lastDay: Day | null;
  mrr: number | null;
  currency: string | null;
}

/** How many accounts, and the first of them by MRR. */
export interface FeatureAccounts {
  total: number;
  first: FeatureAccount[];
}

const NO_ACCOUNTS: FeatureAccounts = { total: 0, first: [] };

export type FeatureDetails = NonNullable<Awaited<ReturnType<typeof readFeature>>>;

/**
 * Reads which accounts use an event, without churned and superseded ones.
 * @param event its name, else its number within the workspace
 * @param through the last complete day
 * @returns `null` for an unknown event
 */
export async function readFeature(
  env: Env,
  workspace: WorkspaceRef,
  event: string,
  { through, withIdentity }: { through: Day; withIdentity: boolean },
) {
  const values = { workspace: workspace.number, event, through, withIdentity: withIdentity ? 1 : 0 };
  const [
    {
      results: [found],
    },
    { results: parts },
  ] = await readStatements(env, workspace, [SELECT_EVENT.bind(values), SELECT_ADOPTION.bind(values)]);
  if (found === undefined) return null;
  const json = new Map(parts.map((part) => [part.part, part.json]));
  const from = Number(json.get("from"));
  const byWeek = new Map<number, number>(JSON.parse(json.get("weeks") ?? "[]"));
  const accountsOf = (part: string): FeatureAccounts => {
    const text = json.get(part);
    return text === undefined ? NO_ACCOUNTS : JSON.parse(text);
  };
  /** Whole weeks only. */
  const weeks = Math.floor((through - from + 1) / WEEK_DAYS);
  return {
    ...found,
    /** The first day that was read. */
    from,
    /** The accounts that used the feature in each week up to a day, ascending. */
    weeks: Array.from({ length: weeks }, (_, index) => weeks - 1 - index).map((back) => ({
      day: through - back * WEEK_DAYS,
      value: byWeek.get(back) ?? 0,
    })),
    using: accountsOf("using"),
    stopped: accountsOf("stopped"),
    never: accountsOf("never"),
  };
}

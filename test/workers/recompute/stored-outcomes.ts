/** Reads a workspace's outcomes, with names instead of numbers and ids. */
import { env } from "cloudflare:workers";

import type { WorkspaceRef } from "../../../src/db/client/database.ts";

type Row = Record<string, string | number | null>;

export interface Outcomes {
  /** Keys are account and day. */
  days: Record<string, Row>;
  health: Record<string, unknown>;
  /** Keys are account, kind, subject and occurrence. Withdrawn items are left out. */
  items: Record<string, Row>;
  contexts: Record<string, unknown>;
}

const OWNER = "(SELECT kind || ':' || external_id FROM accounts WHERE number = t.account) AS owner";

export async function readOutcomes(workspace: WorkspaceRef): Promise<Outcomes> {
  const queries = [
    `SELECT ${OWNER}, day, state, band, score, uncapped, coverage, confidence, losses FROM health_days t
     WHERE account IN (SELECT number FROM accounts WHERE workspace = ?1) ORDER BY 1, day`,
    `SELECT ${OWNER}, state, score, health FROM health t WHERE workspace = ?1 ORDER BY 1`,
    `SELECT ${OWNER}, subject, kind, occurrence, opened_day, confirmed_day, resolved_day, resolution, severity,
       confidence, rank, due_at, evidence
     FROM inbox_items t WHERE workspace = ?1 AND resolution IS NOT 'withdrawn' ORDER BY 1, kind, opened_day`,
    "SELECT day, context FROM workspace_contexts WHERE workspace = ?1 ORDER BY day",
    "SELECT number, name FROM event_names WHERE workspace = ?1",
    "SELECT number, external_id AS name FROM users WHERE workspace = ?1",
  ];
  const read = await env.DB.batch<Row>(queries.map((sql) => env.DB.prepare(sql).bind(workspace.number)));
  const [days = [], health = [], items = [], contexts = [], events = [], users = []] = read.map(
    ({ results }) => results,
  );
  const [eventNames, userNames] = [namesByNumber(events), namesByNumber(users)];
  const subjectOf = (kind: unknown, subject: unknown) => {
    if (kind === "feature_dropped") return eventNames.get(Number(subject));
    return kind === "key_user_quiet" ? userNames.get(Number(subject)) : subject;
  };
  return {
    days: Object.fromEntries(days.map(({ owner, ...row }) => [`${owner} ${row["day"]}`, row])),
    health: Object.fromEntries(
      health.map(({ owner, health: text, ...row }) => [String(owner), { ...row, ...JSON.parse(String(text)) }]),
    ),
    items: Object.fromEntries(
      items.map(({ owner, subject, ...row }) => [
        [owner, row["kind"], subjectOf(row["kind"], subject), row["occurrence"]].join(" "),
        row,
      ]),
    ),
    contexts: Object.fromEntries(
      contexts.map(({ day, context }) => {
        const { coreFeatures, ...rest }: { coreFeatures: number[] } = JSON.parse(String(context));
        return [
          String(day),
          { ...rest, features: coreFeatures.map((feature) => eventNames.get(feature) ?? "?").toSorted() },
        ];
      }),
    ),
  };
}

const namesByNumber = (names: readonly Row[]): Map<number, string> =>
  new Map(names.map(({ number, name }) => [Number(number), String(name)]));

/** Lists the open items. */
export function openItems({ items }: Outcomes): Record<string, Row> {
  return Object.fromEntries(Object.entries(items).filter(([, item]) => item["resolved_day"] === null));
}

/** Deletes outcomes except the comparisons, so that all days are scored again. */
export async function forgetOutcomes({ number }: WorkspaceRef): Promise<void> {
  const own = "(SELECT number FROM accounts WHERE workspace = ?1)";
  await env.DB.batch(
    [
      "DELETE FROM health WHERE workspace = ?1",
      `DELETE FROM health_days WHERE account IN ${own}`,
      "DELETE FROM inbox_items WHERE workspace = ?1 AND account <> 0",
      "UPDATE account_progress SET due_at = 0, score_from = -1000 WHERE workspace = ?1",
    ].map((sql) => env.DB.prepare(sql).bind(number)),
  );
}

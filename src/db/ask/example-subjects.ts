/** What of a workspace's own somebody may want to ask about who has not asked anything yet. */
import { DAY_MS } from "../../core/durations.ts";
import { newBatch } from "../client/batch.ts";
import type { WorkspaceRef } from "../client/database.ts";

export interface ExampleSubject {
  /** The company account with the highest MRR; without any, the first. */
  account: { id: string; externalId: string };
  isJudged: boolean;
  /** What it does most: an event name. `null` where it did nothing of late. */
  feature: string | null;
}

/** In which its events are counted: as far back as questions reach that tell no time. */
const USE_DAYS = 28;

/** ?2: the first day whose events count. Only a company's: an account of one is named like its user. */
const SUBJECT = `
SELECT a.id, a.external_id, h.score IS NOT NULL AS judged,
  (SELECT e.name FROM rollups r JOIN event_names e ON e.number = r.event
    WHERE r.account = a.number AND r.day >= ?2 GROUP BY e.number ORDER BY sum(r.count) DESC, e.number LIMIT 1) AS feature
FROM (SELECT number, id, external_id FROM accounts WHERE workspace = ?1 AND kind = 'company'
    ORDER BY attributes ->> '$.mrr[0]' DESC, number LIMIT 1) a
LEFT JOIN health h ON h.workspace = ?1 AND h.account = a.number`;

/** `null` before there is a company account. */
export async function findExampleSubject(
  env: Env,
  workspace: WorkspaceRef,
  now: number,
): Promise<ExampleSubject | null> {
  const batch = newBatch(env, workspace);
  const subjects = batch.add(SUBJECT, Math.floor(now / DAY_MS) - USE_DAYS + 1);
  await batch.run();
  const [row] = subjects();
  if (row === undefined) return null;
  return {
    account: { id: String(row["id"]), externalId: String(row["external_id"]) },
    isJudged: row["judged"] === 1,
    feature: row["feature"] == null ? null : String(row["feature"]),
  };
}

import type { AuditEntry } from "../core/audit.ts";
import { completeAudit, recordAudit } from "../db/audit/audit-log.ts";

/**
 * Records a change that isn't one of the directory, then makes it.
 * @param outcomeOf adds to the row's details what came of it
 */
export async function audited<Result>(
  env: Env,
  entry: AuditEntry,
  change: () => Promise<Result>,
  outcomeOf?: (result: Result) => NonNullable<AuditEntry["details"]>,
): Promise<Result> {
  const number = await recordAudit(env, entry);
  const result = await change();
  if (outcomeOf !== undefined) await completeAudit(env, number, { ...entry.details, ...outcomeOf(result) });
  return result;
}

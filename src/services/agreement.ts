/** Accepts and withdraws the data processing agreement, which identity traits require. */
import { recordWithdrawn } from "../archive/journal.ts";
import type { Actor, AuditEntry } from "../core/audit.ts";
import type { WorkspaceRef } from "../db/client/database.ts";
import {
  acceptAgreement as insertAgreement,
  type RecordedAgreement,
  withdrawAgreement as closeAgreement,
} from "../db/identity/agreement.ts";

type Acceptance = Omit<RecordedAgreement, "withdrawnAt">;

/** Accepts the agreement in place of an earlier version. @returns `null` when the workspace no longer exists */
export async function acceptAgreement(
  env: Env,
  workspace: WorkspaceRef,
  fields: Omit<Acceptance, "acceptedAt">,
  now: number,
  actor: Actor,
): Promise<Acceptance | null> {
  const accepted = { ...fields, acceptedAt: now };
  const details = { version: fields.version };
  const audit: AuditEntry = { workspace: workspace.id, actor, action: "agreement_accepted", details };
  return (await insertAgreement(env, workspace, accepted, audit)) ? accepted : null;
}

/**
 * Withdraws the agreement and erases the workspace's identity traits. May be repeated.
 * @param actor `null` for a reconciliation, whose own row names it
 * @throws ArchiveUnavailable
 */
export async function withdrawAgreement(
  env: Env,
  workspace: WorkspaceRef,
  now: number,
  actor: Actor | null,
): Promise<void> {
  const audit: AuditEntry | null = actor && { workspace: workspace.id, actor, action: "agreement_withdrawn" };
  await recordWithdrawn(env, workspace.id, now);
  await closeAgreement(env, workspace, now, audit);
}

/** Accepts and withdraws the data processing agreement, which identity traits require. */
import { recordWithdrawn } from "../archive/journal.ts";
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
): Promise<Acceptance | null> {
  const accepted = { ...fields, acceptedAt: now };
  return (await insertAgreement(env, workspace, accepted)) ? accepted : null;
}

/** Withdraws the agreement and erases the workspace's identity traits. May be repeated. @throws ArchiveUnavailable */
export async function withdrawAgreement(env: Env, workspace: WorkspaceRef, now: number): Promise<void> {
  await recordWithdrawn(env, workspace.id, now);
  await closeAgreement(env, workspace, now);
}

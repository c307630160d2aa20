/** Attaches identity traits, and checks the data processing agreement that they require. */
import type * as z from "zod";

import { type IdentityRequest, identityRequest } from "../core/identity/identity-request.ts";
import { recordWithdrawn } from "../archive/journal.ts";
import type { WorkspaceRef } from "../db/client/database.ts";
import { withdrawAgreement as withdraw } from "../db/identity/agreement.ts";
import { attachTraits, type AttachOutcome } from "../db/identity/attach-traits.ts";
import { type WriteCall, type WriteRefusal, writeWithinLimit } from "./write-limit.ts";

export {
  acceptAgreement,
  hasAgreement,
  finishAgreementChanges,
  type RecordedAgreement,
} from "../db/identity/agreement.ts";
export type { Identity } from "../db/identity/read-identity.ts";

/** Withdraws the agreement and erases the workspace's identity traits. May be repeated. @throws ArchiveUnavailable */
export async function withdrawAgreement(env: Env, workspace: WorkspaceRef, now: number): Promise<void> {
  await recordWithdrawn(env, workspace.id, now);
  await withdraw(env, workspace, now);
}

type AttachIdentityOutcome =
  | { outcome: "no_such_account" | "no_such_user" | "dpa_required" }
  | (Extract<AttachOutcome, { outcome: "attached" }> & { traits: IdentityRequest["traits"] })
  | { outcome: "invalid"; issues: z.core.$ZodIssue[] }
  | WriteRefusal;

/**
 * Attaches identity traits to an account or a user.
 * @param body parsed JSON. It is charged before it is validated, as invalid requests count too.
 */
export function attachIdentity(call: WriteCall, body: unknown, now: number): Promise<AttachIdentityOutcome> {
  const { env } = call;
  return writeWithinLimit(call, 1, async (workspace): Promise<AttachIdentityOutcome> => {
    const parsed = identityRequest.safeParse(body);
    if (!parsed.success) return { outcome: "invalid", issues: parsed.error.issues };
    const result = await attachTraits(env, workspace, parsed.data, now);
    return result.outcome === "attached" ? { ...result, traits: parsed.data.traits } : result;
  });
}

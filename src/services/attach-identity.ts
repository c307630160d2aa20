/** Attaches identity traits, the only personal data that the service accepts. */
import type * as z from "zod";

import { type IdentityRequest, identityRequest } from "../core/identity/identity-request.ts";
import { attachTraits, type AttachOutcome } from "../db/identity/attach-traits.ts";
import { type WriteCall, writeWithinLimit } from "./write-within-limit.ts";
import type { WriteRefusal } from "../limiter/write-limiter.ts";

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

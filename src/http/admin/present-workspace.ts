import { SCOPES } from "../../core/api-key.ts";
import type { WorkspaceDetails } from "../../db/workspace-store.ts";
import { iso } from "../iso.ts";

/** A workspace as the administration sees it: no secret in it, and its number stays inside. */
export function presentWorkspace(workspace: WorkspaceDetails, limiter: { admitted: number; refused: number }) {
  const { id, name, writeLimit, createdAt, keys, agreement, stored, rejected, lastRecomputeAt } = workspace;
  return {
    id,
    name,
    writeLimit,
    createdAt: iso(createdAt),
    keys: keys.map((key) => ({
      ...key,
      scopes: key.scopes ?? SCOPES,
      createdAt: iso(key.createdAt),
      revokedAt: key.revokedAt === null ? null : iso(key.revokedAt),
    })),
    dpa: agreement && {
      version: agreement.version,
      acceptedBy: agreement.acceptedBy,
      acceptedAt: iso(agreement.acceptedAt),
    },
    lastRecomputeAt: lastRecomputeAt === null ? null : iso(lastRecomputeAt),
    counters: { stored, rejected, admitted: limiter.admitted, refused: limiter.refused },
  };
}

import { SCOPES } from "../../core/api-key.ts";
import type { RecordedAgreement } from "../../services/identity.ts";
import type { WorkspaceDetails } from "../../services/workspaces/workspaces.ts";
import { iso, isoOrNull } from "../../edge/present/iso.ts";

/** A workspace as the administration sees it: no secret in it, and its number stays inside. */
export function presentWorkspace(workspace: WorkspaceDetails, limiter: { admitted: number; refused: number }) {
  const { id, name, writeLimit, createdAt, keys, agreements, stored, rejected, lastRecomputeAt } = workspace;
  const standing = agreements.find(({ withdrawnAt }) => withdrawnAt === null);
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
    dpa: standing === undefined ? null : presentAgreement(standing),
    dpaHistory: agreements.map((agreement) => ({
      ...presentAgreement(agreement),
      withdrawnAt: isoOrNull(agreement.withdrawnAt),
    })),
    lastRecomputeAt: lastRecomputeAt === null ? null : iso(lastRecomputeAt),
    counters: { stored, rejected, admitted: limiter.admitted, refused: limiter.refused },
  };
}

const presentAgreement = ({ version, acceptedBy, acceptedAt }: RecordedAgreement) => ({
  version,
  acceptedBy,
  acceptedAt: iso(acceptedAt),
});

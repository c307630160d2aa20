import { type Scope, SCOPES } from "../../core/api-key.ts";
import type { RecordedAgreement } from "../../services/identity.ts";
import type { WorkspaceDetails } from "../../services/workspaces/workspaces.ts";
import { iso, isoOrNull } from "../../edge/present/iso.ts";
import type { workspace as workspaceSchema } from "../schemas/administration.ts";
import type { ResponseBody } from "../schemas/registry.ts";

/** Presents a workspace to the administration, without secrets and without its internal number. */
export function presentWorkspace(
  workspace: WorkspaceDetails,
  limiter: { admitted: number; refused: number },
): ResponseBody<typeof workspaceSchema> {
  const { id, name, writeLimit, createdAt, keys, agreements, stored, rejected, lastRecomputeAt } = workspace;
  const current = agreements.find(({ withdrawnAt }) => withdrawnAt === null);
  return {
    id,
    name,
    writeLimit,
    createdAt: iso(createdAt),
    keys: keys.map((key) => ({
      ...key,
      scopes: key.scopes?.filter(isScope) ?? SCOPES,
      createdAt: iso(key.createdAt),
      revokedAt: isoOrNull(key.revokedAt),
    })),
    dpa: current === undefined ? null : presentAgreement(current),
    dpaHistory: agreements.map((agreement) => ({
      ...presentAgreement(agreement),
      withdrawnAt: isoOrNull(agreement.withdrawnAt),
    })),
    lastRecomputeAt: isoOrNull(lastRecomputeAt),
    counters: { stored, rejected, admitted: limiter.admitted, refused: limiter.refused },
  };
}

const presentAgreement = ({ version, acceptedBy, acceptedAt }: RecordedAgreement) => ({
  version,
  acceptedBy,
  acceptedAt: iso(acceptedAt),
});

const isScope = (name: string): name is Scope => SCOPES.some((scope) => scope === name);

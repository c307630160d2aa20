/** Workspaces, their keys and agreements, as the administration sees them: docs/wire.md §9. */
import * as z from "zod";

import { type Scope, SCOPES } from "../../core/api-key.ts";
import { iso, isoOrNull } from "../../edge/present/iso.ts";
import { name, writeLimit } from "../../edge/schemas/admin-requests.ts";
import type { RecordedAgreement } from "../../services/identity.ts";
import type { WorkspaceDetails } from "../../services/workspaces/workspaces.ts";
import { response, type ResponseBody } from "../named-schemas.ts";
import { count, moment, nextCursor, ok, text } from "./fields.ts";

const scopes = z.array(z.enum(SCOPES)).min(1);
const id = z.string().regex(/^ws_[0-9a-f]{24}$/);
const key = z
  .string()
  .regex(/^bik_[0-9A-Za-z]{30}$/)
  .describe("The key. It is shown only once.");
const dpa = z.strictObject({ version: text, acceptedBy: text, acceptedAt: moment });
const messagesPerWindow = writeLimit.describe("Messages accepted per 10 s.");

const workspace = response(
  "Workspace",
  z.strictObject({
    id,
    name,
    writeLimit: messagesPerWindow,
    createdAt: moment,
    keys: z.array(
      z.strictObject({
        id: text,
        name: name.nullable(),
        lastFour: z.string().length(4),
        scopes,
        createdAt: moment,
        revokedAt: moment.nullable(),
      }),
    ),
    dpa: dpa.nullable().describe("The current acceptance of the data processing agreement."),
    dpaHistory: z
      .array(dpa.extend({ withdrawnAt: moment.nullable() }))
      .max(200)
      .describe("All acceptances, newest first."),
    lastRecomputeAt: moment.nullable(),
    counters: z
      .strictObject({ stored: count, rejected: count, admitted: count, refused: count })
      .describe("Numbers of messages. They may lag."),
  }),
);

export const oneWorkspace = response("WorkspaceResponse", z.strictObject({ ok, workspace }));
export const workspaces = response(
  "WorkspacesResponse",
  z.strictObject({ ok, workspaces: z.array(workspace), nextCursor }),
);

export const createdWorkspace = response(
  "NewWorkspaceResponse",
  z.strictObject({
    ok,
    workspace: z.strictObject({ id, name, writeLimit: messagesPerWindow, createdAt: moment }),
    key: z.strictObject({ id: text, key, scopes }),
  }),
);
export const createdKey = response(
  "NewKeyResponse",
  z.strictObject({ ok, key: z.strictObject({ id: text, key, name: name.nullable(), scopes }) }),
);
export const agreement = response("AgreementResponse", z.strictObject({ ok, dpa: dpa.nullable() }));

/** Presents a workspace without secrets and without its internal number. */
export function presentWorkspace(
  { keys, agreements, stored, rejected, ...rest }: WorkspaceDetails,
  { admitted, refused }: { admitted: number; refused: number },
): ResponseBody<typeof workspace> {
  const current = agreements.find(({ withdrawnAt }) => withdrawnAt === null);
  return {
    id: rest.id,
    name: rest.name,
    writeLimit: rest.writeLimit,
    createdAt: iso(rest.createdAt),
    keys: keys.map((one) => ({
      ...one,
      scopes: one.scopes?.filter(isScope) ?? SCOPES,
      createdAt: iso(one.createdAt),
      revokedAt: isoOrNull(one.revokedAt),
    })),
    dpa: current === undefined ? null : presentAgreement(current),
    dpaHistory: agreements.map((one) => ({ ...presentAgreement(one), withdrawnAt: isoOrNull(one.withdrawnAt) })),
    lastRecomputeAt: isoOrNull(rest.lastRecomputeAt),
    counters: { stored, rejected, admitted, refused },
  };
}

const presentAgreement = ({ withdrawnAt: _withdrawnAt, acceptedAt, ...rest }: RecordedAgreement) => ({
  ...rest,
  acceptedAt: iso(acceptedAt),
});

const isScope = (one: string): one is Scope => SCOPES.some((scope) => scope === one);

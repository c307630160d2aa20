/** Responses of the administration: docs/wire.md §9, docs/health.md §10. */
import * as z from "zod";

import { SCOPES } from "../../core/api-key.ts";
import { response } from "./registry.ts";
import { count, moment, nextCursor, ok, text } from "./shapes.ts";

const scopes = z.array(z.enum(SCOPES)).min(1);
const id = z.string().regex(/^ws_[0-9a-f]{24}$/);
const key = z
  .string()
  .regex(/^bik_[0-9A-Za-z]{30}$/)
  .describe("The key. It is shown only once.");
const dpa = z.strictObject({ version: text, acceptedBy: text, acceptedAt: moment });
const name = z.string().min(1).max(200);
const writeLimit = z.int().min(1).max(100_000).describe("Messages accepted per 10 s.");

export const workspace = response(
  "Workspace",
  z.strictObject({
    id,
    name,
    writeLimit,
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
    workspace: z.strictObject({ id, name, writeLimit, createdAt: moment }),
    key: z.strictObject({ id: text, key, scopes }),
  }),
);
export const createdKey = response(
  "NewKeyResponse",
  z.strictObject({ ok, key: z.strictObject({ id: text, key, name: name.nullable(), scopes }) }),
);
export const agreement = response("AgreementResponse", z.strictObject({ ok, dpa: dpa.nullable() }));

export const recomputed = response(
  "RecomputeResponse",
  z.union([
    z.strictObject({ ok, skipped: z.literal("running").describe("Another run is in progress.") }),
    z.strictObject({
      ok,
      id: text,
      trigger: z.literal("admin"),
      asOf: moment,
      startedAt: moment,
      finishedAt: moment,
      complete: z.boolean().describe("False when the run ended early and left work to the next one."),
      eventsFolded: count,
      accountsScored: count,
      itemsOpened: count,
      itemsResolved: count,
      eventsDeleted: count,
      rowsRead: count,
      rowsWritten: count,
    }),
  ]),
);

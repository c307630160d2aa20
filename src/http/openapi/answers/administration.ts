/** What the administration answers: docs/wire.md §9, docs/health.md §10. */
import * as z from "zod";

import { SCOPES } from "../../../core/api-key.ts";
import { count, moment, nextCursor, ok, text } from "./shapes.ts";

const scopes = z.array(z.enum(SCOPES)).min(1);
const id = z.string().regex(/^ws_[0-9a-f]{24}$/);
const key = z
  .string()
  .regex(/^bik_[0-9A-Za-z]{30}$/)
  .describe("The key itself, shown this once.");
const dpa = z.strictObject({ version: text, acceptedBy: text, acceptedAt: moment });
const name = z.string().min(1).max(200);
const writeLimit = z.int().min(1).max(100_000).describe("Messages that it may send in 10 s.");

export const workspace = z.strictObject({
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
  dpa: dpa.nullable().describe("The acceptance of the data processing agreement that stands."),
  dpaHistory: z
    .array(dpa.extend({ withdrawnAt: moment.nullable() }))
    .max(200)
    .describe("All acceptances, the newest first."),
  lastRecomputeAt: moment.nullable(),
  counters: z
    .strictObject({ stored: count, rejected: count, admitted: count, refused: count })
    .describe("Of messages; they may lag."),
});

export const oneWorkspace = z.strictObject({ ok, workspace });
export const workspaces = z.strictObject({ ok, workspaces: z.array(workspace), nextCursor });

export const madeWorkspace = z.strictObject({
  ok,
  workspace: z.strictObject({ id, name, writeLimit, createdAt: moment }),
  key: z.strictObject({ id: text, key, scopes }),
});
export const madeKey = z.strictObject({
  ok,
  key: z.strictObject({ id: text, key, name: name.nullable(), scopes }),
});
export const agreement = z.strictObject({ ok, dpa: dpa.nullable() });

export const recomputed = z.union([
  z.strictObject({ ok, skipped: z.literal("running").describe("Another run is under way.") }),
  z.strictObject({
    ok,
    id: text,
    trigger: z.literal("admin"),
    asOf: moment,
    startedAt: moment,
    finishedAt: moment,
    complete: z.boolean().describe("False where the run left something to the next."),
    eventsFolded: count,
    accountsScored: count,
    itemsOpened: count,
    itemsResolved: count,
    eventsDeleted: count,
    rowsRead: count,
    rowsWritten: count,
  }),
]);

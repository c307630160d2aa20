/** What is decided of a workspace after a restore: docs/decisions/0035-restores.md. */
import { describe, expect, it } from "vitest";

import {
  type DirectoryEntry,
  type Finding,
  type KnownWorkspace,
  planRepairs,
  type Side,
} from "../../../src/core/reconcile/plan-repairs.ts";

const live = (database: string, more: Partial<Side> = {}): Side => {
  return { database, id: "ws_1", state: "live", agreement: 0, leasedAt: null, ...more };
};
const arriving = (database: string, leasedAt: number | null = null) => live(database, { state: "arriving", leasedAt });
const moving = (database: string, leasedAt: number | null = null) => live(database, { state: "moving", leasedAt });

const ENTRY: DirectoryEntry = {
  id: "ws_1",
  database: "DB_1",
  writeLimit: 100,
  importLimit: null,
  storageLimitBytes: null,
  isMarked: false,
  keyIds: ["key_1"],
  agreement: null,
  agreementChanged: false,
  move: null,
};
const MOVE = { from: "DB_1", to: "DB_2", state: "copying", backup: null, copiedAt: 1_000 } as const;

const LIMITER = { limit: 100, importLimit: null, database: "DB_1", room: null, isBehind: false, revokedKeys: [] };
const HEALTHY: KnownWorkspace = {
  claim: { id: "ws_1", hasMoved: false },
  isErased: false,
  withdrawnAt: null,
  entry: ENTRY,
  sides: [live("DB_1")],
  hasBackup: false,
  limiter: LIMITER,
};
const MOVED: Partial<KnownWorkspace> = {
  claim: { id: "ws_1", hasMoved: true },
  limiter: { ...LIMITER, database: "DB_2" },
};
const entry = (more: Partial<DirectoryEntry>): Partial<KnownWorkspace> => ({ entry: { ...ENTRY, ...more } });
const limiter = (more: Partial<KnownWorkspace["limiter"]>): Partial<KnownWorkspace> => ({
  limiter: { ...LIMITER, ...more },
});
const agreed = (id: number, withdrawnAt: number | null = null) =>
  entry({ agreement: { id, acceptedAt: 500, withdrawnAt } });

type Case = [situation: string, changed: Partial<KnownWorkspace>, findings: Finding[]];

const CASES: Case[] = [
  ["nothing happened", {}, []],
  ["the workspace is being created", { ...entry({ isMarked: true }), claim: null, sides: [] }, []],
  ["the number belongs to another one, whose creation stopped", { ...entry({ isMarked: true, id: "ws_2" }) }, ["busy"]],
  ["it is erased", { isErased: true, entry: null, sides: [] }, []],
  ["it is being erased", { isErased: true, ...entry({ isMarked: true }) }, []],
  ["the directory is older than its erasure", { isErased: true, sides: [] }, ["erased_again"]],
  ["its database is older than its erasure", { isErased: true, entry: null }, ["erased_again"]],
  ["both are older than its erasure", { isErased: true }, ["erased_again"]],
  ["the journal doesn't know it", { claim: null }, ["claim_missing"]],
  ["only a database knows it", { claim: null, entry: null }, ["unknown_rows"]],
  ["the directory has another one", entry({ id: "ws_2" }), ["number_used_twice"]],
  ["the journal has another one", { claim: { id: "ws_2", hasMoved: false } }, ["number_used_twice"]],
  ["a database has another one", { sides: [live("DB_1", { id: "ws_2" })] }, ["number_used_twice"]],
  ["the directory is older than its creation", { entry: null }, ["entry_missing"]],
  ["its database is older than its creation", { sides: [] }, ["state_missing"]],
  ["its database is lost, and a backup has it", { sides: [], hasBackup: true }, ["data_lost"]],
  ["both are older than its creation", { entry: null, sides: [] }, ["state_missing", "entry_missing"]],
  ["the directory is older than its move", { ...MOVED, sides: [live("DB_2")] }, ["database_wrong"]],
  [
    "the limiter didn't learn of its move",
    { ...entry({ database: "DB_2" }), sides: [live("DB_2")] },
    ["database_wrong"],
  ],
  [
    "the source is older than its move",
    { ...MOVED, ...entry({ database: "DB_2" }), sides: [live("DB_1"), live("DB_2")] },
    ["copy_left"],
  ],
  [
    "source and directory are older than its move",
    { ...MOVED, sides: [live("DB_1"), live("DB_2")] },
    ["database_wrong", "copy_left"],
  ],
  ["the target is older than its move", { ...MOVED, ...entry({ database: "DB_2" }), sides: [] }, ["data_lost"]],
  ["target and directory are older than its move", { ...MOVED, sides: [] }, ["data_lost"]],
  [
    "directory and databases are older than its arrival",
    { ...MOVED, entry: null, sides: [] },
    ["data_lost", "entry_missing"],
  ],
  [
    "two databases have it, and the limiter names a third",
    { ...limiter({ database: "DB_3" }), sides: [live("DB_1"), live("DB_2")] },
    ["data_twice"],
  ],
  [
    "the source is older than the end of a final step",
    { sides: [moving("DB_1"), moving("DB_2")] },
    ["state_closed", "copy_left"],
  ],
  ["only an old copy is left", { sides: [moving("DB_2")] }, ["state_closed", "database_wrong"]],
  [
    "old copies are left, and the limiter names none of them",
    { sides: [moving("DB_2"), moving("DB_3")] },
    ["data_lost"],
  ],
  [
    "the target has a part of the copy",
    { ...MOVED, ...entry({ database: "DB_2" }), sides: [arriving("DB_2")] },
    ["data_lost"],
  ],
  [
    "the target has the whole copy",
    { ...MOVED, ...entry({ database: "DB_2" }), sides: [moving("DB_2")] },
    ["state_closed"],
  ],
  [
    "the target has a part of the copy, and its source isn't erased yet",
    {
      ...MOVED,
      ...entry({ database: "DB_2", move: { ...MOVE, state: "erasing" } }),
      sides: [moving("DB_1"), arriving("DB_2")],
    },
    ["move_stale", "state_closed", "database_wrong", "copy_left"],
  ],
  [
    "the target lacks the copy, and its source isn't erased yet",
    { ...MOVED, ...entry({ database: "DB_2", move: { ...MOVE, state: "erasing" } }), sides: [moving("DB_1")] },
    ["move_stale", "state_closed", "database_wrong"],
  ],
  [
    "it has just switched",
    { ...entry({ database: "DB_2", move: { ...MOVE, state: "erasing" } }), sides: [moving("DB_1"), moving("DB_2")] },
    ["busy"],
  ],
  ["it is being copied", { ...entry({ move: MOVE }), sides: [live("DB_1"), arriving("DB_2", 1_000)] }, ["busy"]],
  ["it is being restored", { ...entry({ move: { ...MOVE, backup: "2026-11-20T031500.000Z" } }), sides: [] }, ["busy"]],
  ["its copy hasn't begun", entry({ move: { ...MOVE, copiedAt: null } }), ["busy"]],
  [
    "its final step runs",
    { ...entry({ move: { ...MOVE, state: "final" } }), sides: [moving("DB_1", 1_000), arriving("DB_2", 1_000)] },
    ["busy"],
  ],
  [
    "its source is about to be erased",
    { ...entry({ database: "DB_2", move: { ...MOVE, state: "erasing" } }), sides: [moving("DB_1"), live("DB_2")] },
    ["busy"],
  ],
  ["the target lacks the copy", entry({ move: MOVE }), ["move_restarted"]],
  [
    "the target has an older copy",
    { ...entry({ move: MOVE }), sides: [live("DB_1"), arriving("DB_2", 999)] },
    ["move_restarted"],
  ],
  [
    "the directory is older than the end of its move",
    { ...MOVED, ...entry({ move: MOVE }), sides: [live("DB_2")] },
    ["move_stale", "database_wrong"],
  ],
  [
    "directory and source are older than the end of its move",
    { ...MOVED, ...entry({ move: MOVE }), sides: [live("DB_1"), live("DB_2")] },
    ["move_stale", "database_wrong", "copy_left"],
  ],
  [
    "the directory is older than two moves",
    { ...MOVED, ...limiter({ database: "DB_3" }), ...entry({ move: MOVE }), sides: [live("DB_3")] },
    ["move_stale", "database_wrong"],
  ],
  [
    "the target has a copy from before it left",
    { ...entry({ move: MOVE }), sides: [live("DB_1"), live("DB_2")] },
    ["move_blocked"],
  ],
  ["no side of the move has it", { ...entry({ move: MOVE }), sides: [] }, ["data_lost"]],
  ["the directory is older than a change of the limit", limiter({ limit: 200 }), ["limit_differs"]],
  ["the directory is older than an import", limiter({ importLimit: 200 }), ["import_differs"]],
  ["the directory is older than an import's end", entry({ importLimit: 200 }), ["import_differs"]],
  ["an import's end isn't copied yet", limiter({ importLimit: 5, isBehind: true }), ["limits_unfinished"]],
  ["the directory is older than a storage limit", limiter({ room: 0 }), ["storage_limit"]],
  ["the directory is newer than a storage limit", entry({ storageLimitBytes: 5 }), ["storage_limit"]],
  ["a change of the write limit isn't copied yet", limiter({ limit: 5, isBehind: true }), ["limits_unfinished"]],
  ["a change of the storage limit isn't", limiter({ room: 0, isBehind: true }), ["limits_unfinished"]],
  ["a change that changed nothing isn't copied yet", limiter({ isBehind: true }), []],
  ["the directory is older than a revocation", limiter({ revokedKeys: ["key_0", "key_1"] }), ["keys_revoked"]],
  ["the agreement is in force", { ...agreed(7), sides: [live("DB_1", { agreement: 7 })] }, []],
  [
    "the agreement was withdrawn",
    { ...agreed(7, 600), withdrawnAt: 600, sides: [live("DB_1", { agreement: -7 })] },
    [],
  ],
  [
    "the agreement was withdrawn and accepted again",
    { ...agreed(8), withdrawnAt: 499, sides: [live("DB_1", { agreement: 8 })] },
    [],
  ],
  [
    "the database is about to follow an acceptance",
    entry({ agreement: { id: 7, acceptedAt: 500, withdrawnAt: null }, agreementChanged: true }),
    [],
  ],
  [
    "the directory is older than a withdrawal",
    { ...agreed(7), sides: [live("DB_1", { agreement: -7 })] },
    ["agreement_withdrawn"],
  ],
  [
    "all are older than a withdrawal",
    { ...agreed(7), withdrawnAt: 600, sides: [live("DB_1", { agreement: 7 })] },
    ["agreement_withdrawn"],
  ],
  [
    "the database is older than a withdrawal",
    { ...agreed(7, 600), withdrawnAt: 600, sides: [live("DB_1", { agreement: 7 })] },
    ["agreement_follows"],
  ],
  ["the database is older than an acceptance", agreed(7), ["agreement_follows"]],
  ["the directory is older than an acceptance", { sides: [live("DB_1", { agreement: 7 })] }, ["agreement_lost"]],
  [
    "the directory is older than an acceptance, and has another one now",
    { ...agreed(5), sides: [live("DB_1", { agreement: 7 })] },
    ["agreement_follows"],
  ],
  [
    "the directory is older than an acceptance and its withdrawal",
    { sides: [live("DB_1", { agreement: -7 })] },
    ["agreement_follows"],
  ],
];

describe("§9 after a restore", () => {
  it.each(CASES)("when %s", (_situation, changed, findings) => {
    expect(planRepairs({ ...HEALTHY, ...changed }).findings).toEqual(findings);
  });
});

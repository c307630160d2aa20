/** What a reconciliation finds, and whether it repairs it. docs/operations.md explains each of them. */

const REPAIRED = {
  claim_missing: "The journal didn't know the workspace. It does now.",
  erased_again: "The workspace was erased, and a restore brought it back. It is being erased again.",
  entry_missing:
    "The directory lacked the workspace. It is back, with its id as its name and without its keys. Create a key.",
  database_wrong: "The directory or the write limiter named another database than the one that holds the workspace.",
  copy_left: "A restore brought back a copy of the workspace in a database that it had left. It is erased there.",
  state_missing:
    "The database was restored to a time before the workspace was created. It accepts writes again, and is empty.",
  state_closed: "A restore undid a move that had stopped the writes. The workspace accepts writes again.",
  move_stale: "A restore brought back a move that had ended.",
  move_restarted: "The target of a move was restored. The copy starts again.",
  limit_differs: "The directory had another write limit than the limiter. The limiter's is valid.",
  keys_revoked: "A restore brought back revoked keys. They are revoked again.",
  agreement_withdrawn: "A restore brought back a withdrawn agreement. It is withdrawn again.",
  agreement_follows: "The database knew another state of the agreement than the directory. It follows the directory.",
  people_erased: "A restore brought back erased people. They are erased again.",
  files_repaired: "The archive's files and its manifest disagreed. They agree again.",
} as const;

const TO_DECIDE = {
  number_used_twice: "Several workspaces have this number. Compare the ids in workspaces and workspace_states.",
  unknown_rows:
    "A database holds a workspace that neither the directory nor the journal knows. Decide whether it was erased.",
  data_lost: "No database holds the workspace. Restore the one that it came from too, or erase the workspace.",
  data_twice: "Several databases hold the workspace, and the write limiter names none of them.",
  move_blocked:
    "A restore brought back a copy in the database that the workspace moves to. Cancel the move, then reconcile.",
  storage_limit:
    "The directory and the write limiter disagree whether there is a storage limit. Set storageLimitBytes again.",
  agreement_lost:
    "The directory lost the acceptance of the agreement. Accept it again, then reconcile. Withdraw it if it isn't in force.",
  file_missing: "The archive lacks files of the manifest.",
  busy: "A run or a move works on the workspace. Reconcile again in a few minutes.",
} as const;

export type RepairKind = keyof typeof REPAIRED;
export type FindingKind = RepairKind | keyof typeof TO_DECIDE;

export const FINDINGS: Readonly<Record<FindingKind, string>> = { ...REPAIRED, ...TO_DECIDE };

export const isRepair = (kind: FindingKind): kind is RepairKind => kind in REPAIRED;

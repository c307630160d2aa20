/** The text that `npm run databases -- reconcile` prints for each finding. docs/restore.md says what to do. */
import type { Finding } from "../../src/core/reconcile/plan-repairs.ts";

export const FINDINGS: Readonly<Record<Finding, string>> = {
  claim_missing: "The journal lacked the workspace.",
  erased_again: "The workspace was erased before the restore. It is being erased again.",
  entry_missing: "The directory lacked the workspace. Its id is now its name, and its keys are gone: create a key.",
  database_wrong: "The directory or the limiter named the wrong database.",
  copy_left: "A database that the workspace had left still held a copy. It is erased.",
  state_missing: "The database lacked the workspace. It accepts writes again, and is empty.",
  state_closed: "The database refused writes because of a move that the directory lacks.",
  move_stale: "The directory still had a move that has ended.",
  move_restarted: "The target of the move lost part of the copy. The copy starts again.",
  limit_differs: "The directory had an old write limit. It now has the limiter's.",
  import_differs: "The directory and the limiter disagreed about an import. The directory's state applies now.",
  limits_unfinished: "A change of limits had stopped halfway. It is complete now.",
  keys_revoked: "Revoked keys were valid again.",
  agreement_withdrawn: "The agreement was withdrawn before the restore. It is withdrawn again.",
  agreement_follows: "The database and the directory disagreed about the agreement. The directory's state applies now.",
  people_erased: "People were erased before the restore. They are erased again.",
  files_repaired: "Files of the archive were newer than the manifest.",
  number_used_twice: "Several workspaces have this number. See docs/restore.md for which one may keep it.",
  unknown_rows: "A database holds the workspace, but the directory and the journal lack it.",
  data_lost:
    "No database holds all of the workspace. Restore it from its backup (npm run restore), or restore the database that it came from: docs/restore.md.",
  copy_kept:
    "Another database holds a copy too. If that is newer, restore the database in use to its newest point first.",
  data_twice: "Several databases hold the workspace, and the limiter names none of them.",
  move_blocked: "The workspace moves to a database that already holds an old copy. Cancel the move.",
  storage_limit: "The directory and the limiter disagree on a storage limit. Set storageLimitBytes again.",
  agreement_lost: "The directory lost the acceptance of the agreement. Accept it again.",
  file_missing: "The bucket lacks a file of the manifest, or has it with another size.",
  not_bound: "The workspace's database isn't bound. Bind it again; on a laptop, start with more DATABASES.",
  busy: "Another task is working on the workspace. Nothing is wrong: reconcile again in 15 minutes.",
};

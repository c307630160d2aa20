/** Erases people from the archive: searches the manifest for their files, and rewrites these files. */
import { eraseUserFrom, packUsers } from "../../core/archive/message.ts";
import { archiveKey } from "../../core/archive/file-names.ts";
import { readParquet, writeParquet } from "../../archive/parquet.ts";
import { ArchiveFileMissing, readFile, type StoredFile, writeFile } from "../../archive/store.ts";
import {
  type ArchiveErasure,
  type ArchiveFile,
  containsAny,
  endErasures,
  readErasures,
  replaceFile,
} from "../../db/archive/manifest-sql.ts";
import type { Day } from "../../core/health/model.ts";
import type { Session } from "../../db/recompute/session.ts";

/** A run of the archive in a workspace. */
export interface ArchiveRun {
  env: Env;
  session: Session;
  clock: () => number;
  /** When another run may take the lease. This run writes no file after that. */
  expiresAt: number;
  /** Files of earlier days are past their retention. */
  kept: Day;
  /** The maximum number of messages in a file. */
  maxMessages: number;
  /** Whether the budget is used up. Checked between steps. */
  isOver: () => boolean;
  archived: { files: number; messages: number };
  /** Messages that were deleted without a file. */
  deleted: number;
}

/**
 * Rewrites the files of all people who were erased before it began.
 * @returns false when the run must stop before the end. The next one finds only the files that are left.
 * @throws ArchiveFileMissing after all other files are rewritten
 */
export async function rewriteErased(run: ArchiveRun): Promise<boolean> {
  const { session } = run;
  let erasures: ArchiveErasure[] | undefined;
  let missing: ArchiveFileMissing | undefined;
  for (let after = 0; ;) {
    if (run.isOver()) return false;
    const page = await readErasures(session, after);
    erasures ??= page.erasures;
    if (erasures.length === 0) return true;
    if (page.files.length === 0) {
      if (missing !== undefined) throw missing;
      await endErasures(session, erasures);
      return true;
    }
    for (const { file, users } of page.files) {
      after = file.first;
      // During a rebuild, the manifest may list files that are deleted already.
      if (!containsAny(users, erasures) || file.day < run.kept) continue;
      if (run.isOver()) return false;
      const key = archiveKey(session.workspace.id, file);
      const stored = await readFile(run.env, key, file.sha256);
      if (stored === null) missing = new ArchiveFileMissing(key, file.sha256);
      else if (!(await rewrite(run, file, stored, erasures))) return false;
    }
  }
}

/** Rewrites a file, even if an interrupted run already did. @returns whether the new version is recorded */
async function rewrite(
  run: ArchiveRun,
  file: ArchiveFile,
  stored: StoredFile,
  erasures: readonly ArchiveErasure[],
): Promise<boolean> {
  const { env, session, clock } = run;
  const erased = new Map(erasures.map((erasure) => [erasure.number, erasure]));
  const messages = (await readParquet(stored.bytes)).map((message) => {
    const erasure = erased.get(message.user);
    return erasure === undefined ? message : eraseUserFrom(message, erasure.id, erasure.hasAccount === 1);
  });
  if (clock() >= run.expiresAt) return false;
  const bytes = writeParquet(messages);
  const written = await writeFile(env, archiveKey(session.workspace.id, file), bytes, stored.etag, file.sha256);
  if (written === null) return false;
  return replaceFile(session, file, { ...written, users: packUsers(messages) });
}

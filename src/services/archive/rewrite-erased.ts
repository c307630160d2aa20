/** Erases people from the archive: searches the manifest for their files, and rewrites these. */
import { clearMessage } from "../../core/archive/message.ts";
import { readParquet, writeParquet } from "../../archive/parquet.ts";
import { ArchiveUnavailable, readFile, sha256, writeFile } from "../../archive/store.ts";
import {
  advanceErasures,
  type ArchiveErasure,
  type ArchiveFile,
  mayContain,
  readErasures,
  replaceFile,
} from "../../db/archive/files.ts";
import { keyOf } from "./keys.ts";
import type { ArchiveRun } from "./model.ts";

/** Rewrites the files of all people who are being erased. @returns false when the run must stop before the end */
export async function rewriteErased(run: ArchiveRun): Promise<boolean> {
  for (;;) {
    if (run.isOver()) return false;
    const { erasures, files } = await readErasures(run.session, run.workspace);
    if (erasures.length === 0) return true;
    let through = 0;
    for (const { file, users } of files) {
      if (mayContain(users, file, erasures)) {
        if (run.isOver() || !(await rewrite(run, file, erasures))) {
          await advanceErasures(run.session, run.workspace, erasures, through);
          return false;
        }
      }
      through = file.first;
    }
    await advanceErasures(run.session, run.workspace, erasures, through);
  }
}

/** Rewrites a file. A file that an interrupted run has rewritten is only recorded. @returns whether it is recorded */
async function rewrite(run: ArchiveRun, file: ArchiveFile, erasures: readonly ArchiveErasure[]): Promise<boolean> {
  const { env, workspace, session, clock } = run;
  const key = keyOf(workspace, file);
  const stored = await readFile(env, key);
  if (stored === null) throw new ArchiveUnavailable("The archive lacks a file.");
  const erased = new Map(erasures.map(({ number, id }) => [number, id]));
  const messages = await readParquet(stored.bytes);
  const bytes = writeParquet(
    messages.map((message) => {
      const id = erased.get(message.user);
      return id === undefined ? message : clearMessage(message, id);
    }),
  );
  let digest = await sha256(bytes);
  if (digest !== (await sha256(stored.bytes))) {
    if (clock() >= run.expiresAt) return false;
    const written = await writeFile(env, key, bytes, stored.etag);
    if (written === null) return false;
    digest = written.sha256;
  }
  return replaceFile(session, workspace, file, { bytes: bytes.byteLength, sha256: digest }, clock());
}

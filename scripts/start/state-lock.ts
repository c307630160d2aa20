/**
 * Keeps two services from using one state directory: each would hold its own Durable Objects over the same files.
 *
 * The lock is SQLite's on a file of its own. The kernel releases it when the process ends, however it ends; a file with a
 * process id would outlive a crash, and the id would soon belong to another process.
 */
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";

import { type Settings, StartFailure } from "./settings.ts";

/**
 * Locks the state directory until the lock is released or this process ends.
 *
 * @throws StartFailure when another service is using it
 */
export function lockStateDir({ stateDir }: Settings): { release(): void } {
  mkdirSync(stateDir, { recursive: true });
  const lock = new DatabaseSync(join(stateDir, "npm-start.lock"));
  try {
    lock.exec("PRAGMA locking_mode = EXCLUSIVE; BEGIN EXCLUSIVE");
  } catch {
    lock.close();
    throw new StartFailure(
      `Another npm start is using ${stateDir}. ` +
        "Stop it first, or start this one beside it: STATE_DIR=.wrangler/other PORT=8788 npm start",
    );
  }
  return { release: () => lock.close() };
}

/** Tells whoever waits for a restore how far it is. */

export const RETRY =
  "The service tries again every five minutes. Run this command again to follow it, or cancel the restore: DELETE /admin/workspaces/{id}/move";

const DESTINATIONS =
  "All destinations of notifications are disabled. Look through them, and enable those that still hold.";

/** The workspace, as the administration returns it. */
export interface RestoredWorkspace {
  database: string;
  move: {
    to: string;
    state: "copying" | "final" | "erasing" | "cancelling" | "failed";
    rowsCopied: number;
    rowsTotal: number;
    backup?: string | undefined;
    fault?: string | undefined;
  } | null;
}

/** The database, the backup or its day if one is known, and whether this command has started it or has seen it run. */
export interface WantedRestore {
  database: string;
  backup: string | undefined;
  isStarted: boolean;
}

/** Whether the move is this restore. */
const isWanted = (move: NonNullable<RestoredWorkspace["move"]>, { database, backup = "" }: WantedRestore): boolean =>
  move.to === database && move.backup?.startsWith(backup) === true;

/**
 * Describes the progress of a restore.
 * @param toldFault a fault from before the last attempt, which is told only once
 * @throws Error when another or no restore runs, or a later attempt failed
 */
export function describeProgress(
  { database, move }: RestoredWorkspace,
  wanted: WantedRestore,
  toldFault: string | undefined,
): { line: string; isDone: boolean } {
  const done = { line: `${database} has the workspace. ${DESTINATIONS}`, isDone: true };
  if (move === null) {
    if (database !== wanted.database) throw new Error(`The restore was cancelled: ${database} has the workspace.`);
    return done;
  }
  const { to, backup, rowsCopied, rowsTotal, state, fault } = move;
  if (!isWanted(move, wanted)) {
    // It has ended, and something else has begun since.
    if (wanted.isStarted && database === wanted.database) return done;
    const other = backup === undefined ? `a move to ${to}` : `a restore of the backup ${backup} to ${to}`;
    throw new Error(`The service works on ${other} instead (${state}).`);
  }
  if (state === "cancelling") throw new Error("The restore was cancelled.");
  if (state === "erasing") {
    const rest = "The restore stays until every bound database has closed older rows: unbind databases that are gone.";
    return { line: `${to} has the workspace. ${rest} ${DESTINATIONS}`, isDone: true };
  }
  if (fault !== undefined && fault !== toldFault) throw new Error(`${fault}\n${RETRY}`);
  return { line: `Backup ${backup}: ${rowsCopied} of ${rowsTotal} rows are in ${to}.`, isDone: false };
}

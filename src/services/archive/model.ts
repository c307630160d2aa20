import type { Day } from "../../core/health/model.ts";
import type { WorkspaceRef } from "../../db/client/database.ts";
import type { Session } from "../../db/recompute/session.ts";

/** A run of the archive in a workspace. */
export interface ArchiveRun {
  env: Env;
  workspace: WorkspaceRef;
  session: Session;
  clock: () => number;
  /** When another run may take the lease. From then on this one writes no file. */
  expiresAt: number;
  /** Files of earlier days are past their retention. */
  kept: Day;
  /** The most messages of a file. */
  maxMessages: number;
  /** Whether the budget is used up. Checked between steps. */
  isOver: () => boolean;
  archived: { files: number; messages: number };
}

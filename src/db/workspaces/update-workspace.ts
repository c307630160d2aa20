/** Changes the settings of a workspace. */
import { eq } from "drizzle-orm";

import type { AuditEntry } from "../../core/audit.ts";
import { changeAudited } from "../audit/audit-log.ts";
import { directory } from "../client/database.ts";
import { workspaces } from "../schema/schema.ts";
import type { Workspace } from "./find-workspace.ts";

type Changeable = "name" | "writeLimit" | "storageLimitBytes" | "rates" | "currency" | "timezone";
/** The fields of a workspace that may change. Those that are absent or undefined stay. */
export type WorkspaceChange = { [Field in Changeable]?: Workspace[Field] | undefined };

/** @returns the changed workspace */
export async function updateWorkspace(
  env: Env,
  workspace: Workspace,
  change: WorkspaceChange,
  audit: AuditEntry | null,
): Promise<Workspace> {
  if (Object.values(change).every((value) => value === undefined)) return workspace;
  const update = directory(env).update(workspaces).set(change).where(eq(workspaces.number, workspace.number));
  const [changed = workspace] = await changeAudited(env, update.returning(), audit);
  return changed;
}

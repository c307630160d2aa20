export { findOpened, type OpenWorkspace, type Opener } from "../../db/workspaces/open-workspace-sql.ts";
export { readSettings, type WorkspaceSettings, type RecomputeRun } from "../../db/workspaces/read-settings.ts";
export {
  findWorkspace,
  findWorkspaceToErase,
  listWithFigures,
  listWorkspaces,
  type ListedWorkspace,
  type Workspace,
  type WorkspaceDetails,
} from "../../db/workspaces/workspaces.ts";

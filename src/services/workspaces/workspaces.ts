export { eraseMarked, markErased, listMarkedErased } from "../../db/workspaces/erase-workspace.ts";
export { findOpened, type OpenWorkspace, type Opener } from "../../db/workspaces/open-workspace-sql.ts";
export { readSettings, type WorkspaceSettings, type RecomputeRun } from "../../db/workspaces/read-settings.ts";
export { listWithFigures, type ListedWorkspace } from "../../db/workspaces/workspace-list.ts";
export {
  findWorkspace,
  describeWorkspace,
  findWorkspaceToErase,
  listWorkspaces,
  type Workspace,
  type WorkspaceDetails,
} from "../../db/workspaces/workspaces.ts";

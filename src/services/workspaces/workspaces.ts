export * from "../../db/workspaces/list-workspaces.ts";
export * from "../../db/workspaces/find-workspace.ts";

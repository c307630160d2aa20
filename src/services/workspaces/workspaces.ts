export * from "../../db/workspaces/open-workspace-sql.ts";
export * from "../../db/workspaces/read-settings.ts";
export * from "../../db/workspaces/workspaces.ts";

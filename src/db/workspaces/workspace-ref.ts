import { workspaces } from "../schema/schema.ts";

/** The columns of a `WorkspaceRef`. */
export const workspaceRefColumns = { id: workspaces.id, number: workspaces.number, database: workspaces.database };

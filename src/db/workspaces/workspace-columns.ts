import { workspaces } from "../schema/schema.ts";

/** The columns of a `WorkspaceRef`. */
export const workspaceRefColumns = { id: workspaces.id, number: workspaces.number, database: workspaces.database };

export const workspaceColumns = {
  ...workspaceRefColumns,
  name: workspaces.name,
  writeLimit: workspaces.writeLimit,
  storageLimitBytes: workspaces.storageLimitBytes,
  createdAt: workspaces.createdAt,
};

export type Workspace = Pick<typeof workspaces.$inferSelect, keyof typeof workspaceColumns>;

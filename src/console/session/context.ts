import type { OpenWorkspace } from "../../services/workspaces/workspaces.ts";

/** How the user signed in. A key's session opens only the workspace of that key. */
export type Session = { by: "admin" } | { by: "key"; keyId: string };

declare module "hono" {
  interface ContextVariableMap {
    /** Set by `requireSession`. */
    session: Session;
    /** Set by `requireWorkspace`. */
    workspace: OpenWorkspace;
  }
}

/** Returns the path of a page of the workspace: `pathOf(workspace, "accounts", account.id)`. */
export const pathOf = ({ id }: { id: string }, ...parts: string[]): string =>
  ["/console/w", ...[id, ...parts].map(encodeURIComponent)].join("/");

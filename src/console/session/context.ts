import type { Scope } from "../../core/api-key.ts";
import type { OpenWorkspace } from "../../services/workspaces/workspaces.ts";

/** Who signed in: by the admin token, or by a key, which opens one workspace. */
export type Session = { who: "admin" } | { who: "key"; keyId: string };

declare module "hono" {
  interface ContextVariableMap {
    /** Behind `requireSession` only. */
    session: Session;
    /** Behind `openingBy` only. */
    workspace: OpenWorkspace;
  }
}

/** Whether the session may do what the scope opens. */
export const may = ({ scopes }: OpenWorkspace, scope: Scope): boolean => scopes === null || scopes.includes(scope);

/** Where a page of the workspace is: `pathOf(workspace, "accounts", account.id)`. */
export const pathOf = ({ id }: { id: string }, ...parts: string[]): string =>
  ["/console/w", ...[id, ...parts].map(encodeURIComponent)].join("/");

import type { Scope } from "../core/api-key.ts";
import type { Workspace } from "../db/workspace-store.ts";

/** Who signed in: by the admin token, or by a key, which opens one workspace. */
export type Session = { who: "admin" } | { who: "key"; keyId: string };

/** A workspace that the session opens. */
export interface OpenWorkspace extends Workspace {
  /** The scopes of the session's key; `null`: all of them. */
  scopes: string[] | null;
}

declare module "hono" {
  interface ContextVariableMap {
    /** Behind `requireSession` only. */
    session: Session;
    /** Behind `openWorkspace` only. */
    workspace: OpenWorkspace;
  }
}

/** Whether the session may do what the scope opens. */
export const may = ({ scopes }: OpenWorkspace, scope: Scope): boolean => scopes === null || scopes.includes(scope);

/** Where a page of the workspace is: `pathOf(workspace, "accounts", account.id)`. */
export const pathOf = ({ id }: { id: string }, ...parts: string[]): string =>
  ["/console/w", ...[id, ...parts].map(encodeURIComponent)].join("/");

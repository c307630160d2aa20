import type { Actor } from "../../core/audit.ts";
import type { OpenWorkspace } from "../../db/workspaces/find-workspace.ts";

/** How the user signed in. A key's session opens only the workspace of that key. */
export type ConsoleSession = { by: "admin" } | { by: "key"; keyId: string };

/** Names the session in the audit log. */
export const actorOf = (session: ConsoleSession): Actor =>
  session.by === "key" ? `console:${session.keyId}` : "console:admin";

declare module "hono" {
  interface ContextVariableMap {
    /** Set by `requireSession`. */
    session: ConsoleSession;
    /** Set by `requireWorkspace`. */
    workspace: OpenWorkspace;
  }
}

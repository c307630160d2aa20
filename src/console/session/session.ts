import type { Actor } from "../../core/audit.ts";
import type { ConsoleUser, OpenWorkspace, Proof } from "../../db/workspaces/find-workspace.ts";

/** Names the user in the audit log. */
export function actorOf(user: ConsoleUser): Actor {
  switch (user.by) {
    case "admin":
      return "console:admin";
    case "token":
      return `console:${user.token.id}`;
    case "key":
      return `console:${user.key.keyId}`;
    case "person":
      return `console:${user.person.id}`;
  }
}

const READS = /^\/console\/w\/[^/]+\/(?:accounts|accounts\/find|ask|ask\/csv|live)$/;
const MARKS =
  /^\/console\/w\/[^/]+\/(?:inbox\/(?:mark|owner)|accounts\/views(?:\/delete)?|accounts\/[^/]+\/(?:owner|items\/.+))$/;

/**
 * Whether a user may send the form with this path. Scopes decide it for keys, and here for those who only read or mark, so that a
 * new form is theirs only once it is named here.
 */
export function mayPost(user: ConsoleUser, path: string): boolean {
  if (user.by === "key" || user.by === "admin" || READS.test(path)) return true;
  if (user.by === "token") return !user.token.readOnly;
  return user.person.role === "admin" || (user.person.role === "member" && MARKS.test(path));
}

declare module "hono" {
  interface ContextVariableMap {
    /** Set by `requireSession`. */
    proof: Proof;
    /** Set by `requireUser`. */
    session: ConsoleUser;
    /** Set by `requireUser`, if the path names one that the user may open. */
    workspace: OpenWorkspace;
  }
}

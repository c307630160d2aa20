import { type Scope, SCOPES } from "./api-key.ts";

/** What a person may do in the console: `admin` everything, `member` read and mark, `viewer` read. */
export const ROLES = ["admin", "member", "viewer"] as const;
export type Role = (typeof ROLES)[number];

const READER: Scope[] = ["identity", "ask", "read"];

/** The scopes that pages go by, as they do for keys; `null` for all. `mayPost` decides what a role changes. */
export const scopesOf = (role: Role): Scope[] | null => {
  if (role === "admin") return null;
  return role === "member" ? [...READER, "inbox"] : READER;
};

/** The scopes of administrators who only read. */
export const READ_ONLY: Scope[] = SCOPES.filter((scope) => scope !== "inbox");

/** Whether a user of the console administers the deployment, if only by reading. */
export const isAdministrator = (
  user: { by: "admin" | "token" | "key" } | { by: "person"; person: { role: Role } },
): boolean => (user.by === "person" ? user.person.role === "admin" : user.by !== "key");

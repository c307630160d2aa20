/** Reads and erases users. */
import { eraseUser as eraseUserRows } from "../db/users/erase-user.ts";
import { type Call, timed } from "./call.ts";
import { isStillGranted, type KeyGrant } from "./workspaces/api-keys.ts";

export { finishUserErasures } from "../db/users/erase-user.ts";
export { findUser, type UserDetails } from "../db/users/find-user.ts";

/**
 * Erases a user. An unknown id counts as erased.
 * @param id external or internal
 * @returns `in_progress` when the user's log is too large for one call: a repeated call continues
 */
export async function eraseUser(
  call: Call,
  grant: KeyGrant,
  id: string,
): Promise<"erased" | "in_progress" | "unauthorized"> {
  if (!(await isStillGranted(call, grant))) return "unauthorized";
  return timed(call, "databaseMs", () => eraseUserRows(call.env, grant.workspace, id));
}

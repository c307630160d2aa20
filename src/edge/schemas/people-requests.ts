/** Request bodies about people and administrators' tokens: docs/wire/people.md §22.2. */
import * as z from "zod";

import { ROLES } from "../../core/role.ts";
import { flag, name } from "./admin-requests.ts";

const MAX_EMAIL_CHARACTERS = 254;
const MAX_WORKSPACES = 200;

const email = z
  .email("must be an e-mail address")
  .max(MAX_EMAIL_CHARACTERS, `must have at most ${MAX_EMAIL_CHARACTERS} characters`)
  .toLowerCase();
const role = z
  .enum(ROLES, "must be admin, member or viewer")
  .meta({ description: "`admin` does all, `member` marks, `viewer` reads." });
const workspaces = z
  .array(z.string().regex(/^ws_[0-9a-f]{24}$/, "must be the id of a workspace"))
  .max(MAX_WORKSPACES, `must have at most ${MAX_WORKSPACES} entries`)
  .nullable()
  .meta({ description: "The ids of the workspaces that a member or viewer may open. `null` for all." });

export const newPerson = z.strictObject({ email, role, workspaces: workspaces.default(null) });
export const personChange = z.strictObject({ role: role.optional(), workspaces: workspaces.optional() });
export const newAdminToken = z.strictObject({
  name,
  readOnly: flag.default(false).meta({ description: "Whether the token only reads." }),
});

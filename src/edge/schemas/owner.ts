/** Who looks after an account: docs/wire/inbox.md §14. */
import * as z from "zod";

import { line } from "./admin-requests.ts";

/** The name by which the sender's own systems know the person or the team. */
export const ownerName = line(128);

export const ownerChange = z.strictObject({
  owner: ownerName.nullable().meta({ description: "The name of a person or a team. `null` removes the owner." }),
});

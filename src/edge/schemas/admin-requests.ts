/** Request bodies of the administration: docs/wire.md §9. */
import * as z from "zod";

import { MAX_WRITE_LIMIT } from "../../config.ts";
import { SCOPES } from "../../core/api-key.ts";
import { DEFAULT_WRITE_LIMIT } from "../../core/limit/policy.ts";

export const name = z.string().trim().min(1).max(200);
/** The name of a database's binding. */
const database = z.string().regex(/^DB(?:_[1-9]\d*)?$/, "must be DB, DB_1, DB_2 or a further database");
export const writeLimit = z.int().min(1).max(MAX_WRITE_LIMIT);

export const newWorkspace = z.strictObject({
  name,
  writeLimit: writeLimit.default(DEFAULT_WRITE_LIMIT).meta({ description: "Messages accepted per 10 s." }),
  database: database.optional().meta({ description: "An open database. If absent, the open one with the most room." }),
});
export const databaseChange = z.strictObject({
  state: z.enum(["open", "draining"]).meta({ description: "A `draining` database takes no new workspaces." }),
});
export const workspaceChange = z.strictObject({
  name: name.optional(),
  writeLimit: writeLimit.optional(),
  storageLimitBytes: z
    .int()
    .min(1)
    .nullable()
    .optional()
    .meta({ description: "The most bytes of messages that are not archived; `null` for no limit." }),
});
export const newMove = z.strictObject({
  database: database.meta({ description: "The binding of the database to move to." }),
});
export const newKey = z.strictObject({
  name: name.optional(),
  scopes: z
    .array(z.enum(SCOPES))
    .min(1)
    .optional()
    .meta({ description: "Scopes of the key. If absent, the key has all scopes, including future ones." }),
});
export const acceptance = z.strictObject({
  acceptedBy: name.meta({ description: "Person who accepted the data processing agreement." }),
  version: name.meta({ description: "Accepted version." }),
});
export const reconciliation = z.strictObject({
  before: z
    .int()
    .min(1)
    .nullable()
    .default(null)
    .meta({ description: "The `next` of the page before; `null` for the first." }),
});

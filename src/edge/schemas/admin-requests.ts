/** Request bodies of the administration: docs/wire/admin.md §9. */
import * as z from "zod";

import { MAX_WRITE_LIMIT } from "../../config.ts";
import { CONTROL_CHARACTER } from "../../core/ingest/identifiers.ts";
import { isLongerThan } from "../../core/ingest/text.ts";
import { DEFAULT_WRITE_LIMIT } from "../../core/limit/policy.ts";
import { timeZone } from "./time-zone.ts";

/** A line of text that D1 returns as it was sent: it would replace lone surrogates. */
export const line = (max: number) =>
  z
    .string("must be a string")
    .trim()
    .refine((text) => text !== "" && !isLongerThan(text, max), `must have 1 to ${max} characters`)
    .refine(
      (text) => text.isWellFormed() && !CONTROL_CHARACTER.test(text),
      "must not contain control characters or lone surrogates",
    )
    .meta({ minLength: 1, maxLength: max });

export const flag = z.boolean("must be true or false");

/** A number whose one message names its limits. */
export function wholeNumber(min: number, max: number) {
  const message = `must be a whole number from ${min} to ${max}`;
  return z.int(message).min(min, message).max(max, message);
}

export const MAX_WORKSPACE_NAME_CHARACTERS = 128;
export const workspaceName = line(MAX_WORKSPACE_NAME_CHARACTERS);
export const name = line(200);
/** The name of a database's binding. */
const database = z.string().regex(/^DB(?:_[1-9]\d*)?$/, "must be the name of a database, such as DB or DB_1");
export const writeLimit = wholeNumber(1, MAX_WRITE_LIMIT);

const currency = z.string().regex(/^[A-Z]{3}$/, "must be a code of 3 capital letters, such as USD");
const MAX_RATES = 100;

export const newWorkspace = z.strictObject({
  name: workspaceName,
  writeLimit: writeLimit.default(DEFAULT_WRITE_LIMIT).meta({ description: "Messages accepted per 10 s." }),
  database: database.optional().meta({ description: "An open database. If absent, the open one with the most room." }),
});
export const databaseChange = z.strictObject({
  state: z
    .enum(["open", "draining"], "must be open or draining")
    .meta({ description: "A `draining` database takes no new workspaces." }),
});
export const workspaceChange = z.strictObject({
  name: workspaceName.optional(),
  writeLimit: writeLimit.optional(),
  storageLimitBytes: wholeNumber(1, Number.MAX_SAFE_INTEGER)
    .nullable()
    .optional()
    .meta({ description: "Maximum bytes of messages that are not archived. `null` for no limit." }),
  rates: z
    .record(currency, z.number("must be a number").positive("must be more than 0"))
    .refine(
      (rates) => Object.keys(rates).length > 0 && Object.keys(rates).length <= MAX_RATES,
      `must have 1 to ${MAX_RATES} currencies`,
    )
    .meta({ minProperties: 1, maxProperties: MAX_RATES })
    .nullable()
    .optional()
    .meta({
      description:
        "The value of a unit of each currency. Lists use it to rank amounts in several currencies. `null` removes the rates.",
    }),
  currency: currency.nullable().optional().meta({ description: "The currency whose rate is 1. `null` removes it." }),
  timezone: timeZone.optional().meta({ description: "The time zone of digests, such as `Europe/Madrid`." }),
});
export const newImport = z.strictObject({
  writeLimit: writeLimit.default(10_000).meta({ description: "Messages accepted per 10 s until the import ends." }),
  ttlHours: wholeNumber(1, 168).default(24).meta({ description: "The import ends after this time at the latest." }),
});
export const newMove = z.strictObject({
  database: database.meta({ description: "The binding of the database to move to." }),
});
const backupName = z
  .string()
  .regex(/^\d{4}-\d\d-\d\dT\d{6}\.\d{3}Z$/, "must be the name of a backup, such as 2026-11-20T031500.000Z");
const restoreFields = z.strictObject({
  database: database.meta({ description: "The binding of the open database to restore to." }),
  backup: backupName.optional().meta({ description: "The backup's name. If absent, the newest one is restored." }),
  date: z.iso
    .date("must be a date, such as 2026-11-20")
    .optional()
    .meta({ description: "Restores the last backup that began on this day (UTC), in place of `backup`." }),
  giveUp: flag.default(false).meta({
    description:
      "Gives up the rows that databases still have of the workspace, or may have while they don't answer. They are overwritten, or closed until somebody erases them.",
  }),
});
export const newRestore = restoreFields.refine(({ backup, date }) => backup === undefined || date === undefined, {
  path: ["date"],
  message: "must be absent beside backup",
});
export const acceptance = z.strictObject({
  acceptedBy: name.meta({ description: "Person who accepted the data processing agreement." }),
  version: name.meta({ description: "Accepted version." }),
});
export const reconciliation = z.strictObject({
  before: wholeNumber(1, Number.MAX_SAFE_INTEGER)
    .nullable()
    .default(null)
    .meta({ description: "The `next` of the previous page. `null` for the first page." }),
  eraseCopies: flag.default(false).meta({
    description:
      "Erases the copies that workspaces left in other databases. Without it, they are kept for further restores.",
  }),
  startEmpty: z
    .string()
    .nullable()
    .default(null)
    .meta({ description: "The id of a workspace that no database holds. It becomes usable again, without its data." }),
});

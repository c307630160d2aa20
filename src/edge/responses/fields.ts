/** Fields and objects that several responses have: docs/wire/README.md. */
import * as z from "zod";

import { response } from "../named-schemas.ts";

/** ISO 8601 in UTC, with a year of four digits (§1). */
export const moment = z
  .string()
  .regex(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/)
  .meta({ format: "date-time" });
export const date = z
  .string()
  .regex(/^\d{4}-\d\d-\d\d$/)
  .meta({ format: "date" });
export const count = z.int().min(0);
export const text = z.string().min(1);
/** Both days are included. */
export const window = response("DateRange", z.strictObject({ from: date, to: date }));
export const nextCursor = text.nullable().describe("The `cursor` of the next page; `null` on the last page.");
export const asOf = moment
  .nullable()
  .describe("The time that outcomes are based on; `null` before the first recompute.");
export const ok = z.literal(true);

/** §3, §4.5, §6.2. */
const entity = (prefix: "acc" | "usr") =>
  z.strictObject({
    id: z.string().regex(new RegExp(`^${prefix}_[0-9a-f]{24}$`)),
    externalId: text.nullable().describe("The sender's id; `null` after the user was erased."),
  });

export const userRef = response("UserRef", entity("usr"));
/** In responses to sent messages. */
export const accountRef = response("AccountRef", entity("acc"));
/** In responses to reads. */
export const account = response(
  "Account",
  entity("acc").extend({
    kind: z.enum(["company", "solo"]).describe("`solo`: the personal account of a user who belongs to no company."),
  }),
);

export const owner = text.nullable();

/** §3, §4.5: in responses to writes. */
export const deduped = z.boolean().describe("True when everything was already stored, so nothing was stored again.");
export const redactedPaths = z
  .array(z.string())
  .min(1)
  .max(100)
  .describe("Fields that contained personal data, such as `traits.email`.");

export const object = response("JsonObject", z.record(z.string(), z.unknown()));

export const done = response("OkResponse", z.strictObject({ ok }));

export const erased = response(
  "ErasedResponse",
  z.strictObject({
    ok,
    archive: z
      .literal("pending")
      .optional()
      .describe("Files of the archive may still contain what was erased. It leaves them within a day."),
  }),
);

const SUFFIX = "0123456789abcdef01234567";
export const ACCOUNT_REF = { id: `acc_${SUFFIX}`, externalId: "acme" };
export const USER_REF = { id: `usr_${SUFFIX}`, externalId: "u1" };

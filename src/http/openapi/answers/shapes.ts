/** What answers are made of, as docs/wire.md describes it: the shapes from there, the lists of words from core. */
import * as z from "zod";

/** ISO 8601 in UTC, as §1 has it: years of four digits. */
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
/** Days, both of them included. */
export const window = z.strictObject({ from: date, to: date });
export const nextCursor = text.nullable().describe("The `cursor` of the next page; `null` at the end of the list.");
/** What the service has judged up to; `null` before the first recompute. */
export const asOf = moment.nullable().describe("As of when the last recompute judged; `null` before the first one.");
export const ok = z.literal(true);

/** §3, §4.5. `externalId` is `null` once the user is erased (§6.2). */
const entity = (prefix: "acc" | "usr") =>
  z.strictObject({
    id: z.string().regex(new RegExp(`^${prefix}_[0-9a-f]{24}$`)),
    externalId: text.nullable().describe("The sender's id; `null` once the user is erased."),
  });

export const namedUser = entity("usr");
/** Of an answer to what was sent. */
export const namedAccount = entity("acc");
/** Of an answer to what was asked. */
export const account = entity("acc").extend({
  kind: z.enum(["company", "solo"]).describe("`solo`: the account of one of a user who belongs to no company."),
});

/** Where personal data was, or a field that was passed over: no part of a sender's own is longer. */
export const segment = z.string().refine((name) => Array.from(name).length <= 64, "is longer than 64 characters");
export const places = z
  .array(z.string())
  .min(1)
  .max(100)
  .describe("Where personal data was removed, as `traits.email`.");

/** Free-form: what senders told. */
export const object = z.record(z.string(), z.unknown());

export const done = z.strictObject({ ok });

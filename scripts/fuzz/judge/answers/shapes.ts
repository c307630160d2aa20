/** What answers are made of, as docs/wire.md describes it: written from there and not from the code. */
import * as z from "zod";

/** ISO 8601 in UTC, as §1 has it: years of four digits. */
export const moment = z.string().regex(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
export const date = z.string().regex(/^\d{4}-\d\d-\d\d$/);
export const count = z.int().min(0);
export const text = z.string().min(1);
export const window = z.strictObject({ from: date, to: date });
export const nextCursor = text.nullable();

/** §3, §4.5. `externalId` is `null` once the user is erased (§6.2). */
export const entity = (prefix: "acc" | "usr") =>
  z.strictObject({ id: z.string().regex(new RegExp(`^${prefix}_[0-9a-f]{24}$`)), externalId: text.nullable() });

export const user = entity("usr");
export const account = entity("acc").extend({ kind: z.enum(["company", "solo"]) });

/** Where personal data was, or a field that was passed over: no part of a sender's own is longer. */
export const segment = z.string().refine((name) => Array.from(name).length <= 64, "is longer than 64 characters");
export const places = z.array(z.string()).min(1).max(100);

export const done = z.strictObject({ ok: z.literal(true) });

/** The forms of those who have the admin token: what they take is what the administration's API takes, as forms write it. */
import * as z from "zod";

import { MAX_WRITE_LIMIT } from "../../config.ts";
import { SCOPES } from "../../core/api-key.ts";
import { acceptance, name, writeLimit } from "../../edge/schemas/admin-requests.ts";
import { amount } from "../components/elements.tsx";

const blankIsNull = (value: unknown) => (typeof value === "string" && value.trim() === "" ? null : value);

/** Of a field that may come several times, one alone is no list. */
const oneIsList = (value: unknown) => (typeof value === "string" ? [value] : value);

/** Digits alone: `1e3` and ` ` are numbers to JavaScript and to nobody else. */
const digits = z.string().trim().regex(/^\d+$/).transform(Number).pipe(writeLimit);

export const workspaceForm = z.object({ name, writeLimit: digits });

/** A key without a scope would open nothing, and is refused; `all` stands for those to come, too. */
export const keyForm = z.object({
  name: z.preprocess(blankIsNull, name.nullable().default(null)),
  scopes: z
    .preprocess(oneIsList, z.array(z.enum(["all", ...SCOPES])).min(1))
    .transform((chosen) => (chosen.includes("all") ? null : SCOPES.filter((scope) => chosen.includes(scope)))),
});

export const acceptanceForm = z.object(acceptance.shape);

const FAULTS: Record<string, string> = {
  name: "“Name” takes 1 to 200 characters.",
  writeLimit: `“Messages in 10 s” takes a whole number from 1 to ${amount(MAX_WRITE_LIMIT)}.`,
  scopes: "“Opens” takes at least one scope.",
  acceptedBy: "“Accepted by” takes 1 to 200 characters.",
  version: "“Version” takes 1 to 200 characters.",
};

/** What is wrong with a form, naming the field as its page does. */
export const faultOf = (error: z.ZodError): string =>
  FAULTS[String(error.issues[0]?.path[0])] ?? "The form is not whole.";

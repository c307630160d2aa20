/** The forms of administrators. They accept what the admin API accepts, encoded as forms encode it. */
import * as z from "zod";

import { MAX_WRITE_LIMIT } from "../../config.ts";
import { SCOPES } from "../../core/api-key.ts";
import { acceptance, name, writeLimit } from "../../edge/schemas/admin-requests.ts";
import { formatNumber } from "../components/format.ts";
import { creationId } from "./creation-id.tsx";

const blankToNull = (value: unknown) => (typeof value === "string" && value.trim() === "" ? null : value);

/** Forms send a single choice as a string. */
const toArray = (value: unknown) => (typeof value === "string" ? [value] : value);

/** Accepts digits only: JavaScript would read `1e3` and a blank as numbers, too. */
const digits = z.string().trim().regex(/^\d+$/).transform(Number).pipe(writeLimit);

export const workspaceForm = z.object({ name, writeLimit: digits });

export const newWorkspaceForm = workspaceForm.extend({ creationId });

/** `all` grants all scopes, including future ones. */
export const keyForm = z.object({
  creationId,
  name: z.preprocess(blankToNull, name.nullable().default(null)),
  scopes: z
    .preprocess(toArray, z.array(z.enum(["all", ...SCOPES])).min(1))
    .transform((chosen) => (chosen.includes("all") ? null : SCOPES.filter((scope) => chosen.includes(scope)))),
});

export const agreementForm = z.object(acceptance.shape);

export const LIMIT_LABEL = "Limit (messages per 10 s)";

const ERRORS: Record<string, string> = {
  name: "“Name” must have 1 to 200 characters.",
  writeLimit: `“${LIMIT_LABEL}” must be a whole number from 1 to ${formatNumber(MAX_WRITE_LIMIT)}.`,
  scopes: "Select at least one scope.",
  acceptedBy: "“Accepted by” must have 1 to 200 characters.",
  version: "“Version” must have 1 to 200 characters.",
};

/** Returns the first error of a form, with the field's label on the page. */
export const formErrorOf = (error: z.ZodError): string =>
  ERRORS[String(error.issues[0]?.path[0])] ?? "Incomplete form. Reload the page and try again.";

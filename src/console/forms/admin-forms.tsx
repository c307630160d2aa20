/** The forms of administrators. They accept what the admin API accepts, encoded as forms encode it. */
import type { FC } from "hono/jsx";
import * as z from "zod";

import { MAX_WRITE_LIMIT } from "../../config.ts";
import { hex } from "../../core/hex.ts";
import { MAX_WORKSPACE_NAME_CHARACTERS, workspaceName, writeLimit } from "../../edge/schemas/admin-requests.ts";
import { timeZone } from "../../edge/schemas/time-zone.ts";
import { formatNumber } from "../components/format.ts";
import { Field } from "./fields.tsx";

const ID_BYTES = 12;

/** The field of a `<CreationId>`: the random part of the new id. */
export const creationId = z.string().regex(/^[0-9a-f]{24}$/);

const blankToNull = (value: unknown) => (typeof value === "string" && value.trim() === "" ? null : value);

const blankToUtc = (value: unknown) => blankToNull(value) ?? "UTC";

/** Accepts digits only: JavaScript would read `1e3` and a blank as numbers, too. */
const digits = z.string().trim().regex(/^\d+$/).transform(Number).pipe(writeLimit);

export const workspaceForm = z.object({ name: workspaceName, writeLimit: digits });

export const newWorkspaceForm = workspaceForm.extend({ creationId });

export const settingsForm = workspaceForm.extend({ timezone: z.preprocess(blankToUtc, timeZone) });

export const LIMIT_LABEL = "Limit (messages per 10 s)";

const ERRORS: Record<string, string> = {
  writeLimit: `“${LIMIT_LABEL}” must be a whole number from 1 to ${formatNumber(MAX_WRITE_LIMIT)}.`,
  scopes: "Select at least one scope. A key for pages or signed requests only has the scope “ingest”.",
  expiresAt: "“Last day” must be a day from today on.",
  signed: "A page can’t keep a secret: a key with origins can’t be signed.",
  graceHours: "“Hours” must be a number from 0 to 720.",
};
/** Fields whose errors complete the sentence "<label> …". */
const LABELS: Record<string, string> = {
  name: "Name",
  timezone: "Time zone",
  origins: "Origins",
  acceptedBy: "Accepted by",
  version: "Version",
};

/** Returns the first error of a form, with the field's label on the page. */
export function formErrorOf({ issues: [issue] }: z.ZodError): string {
  const field = String(issue?.path[0]);
  const label = LABELS[field];
  if (issue !== undefined && label !== undefined) return `“${label}” ${issue.message}.`;
  return ERRORS[field] ?? "Incomplete form. Reload the page and try again.";
}

/**
 * Makes a form that creates something work once. Each rendered form carries a random id, and what it creates gets that
 * id. Reloading the page that follows sends the form again, which then finds the existing one and creates nothing.
 */
export const CreationId: FC = () => (
  <input type="hidden" name="creationId" value={hex(crypto.getRandomValues(new Uint8Array(ID_BYTES)))} />
);

type NameAndLimitProps = { name: string; writeLimit: string | number; placeholder?: string };

export const NameAndLimit: FC<NameAndLimitProps> = ({ name: value, writeLimit: limit, placeholder }) => (
  <>
    <Field
      label="Name"
      name="name"
      required
      maxlength={MAX_WORKSPACE_NAME_CHARACTERS}
      pattern=".*\S.*"
      value={value}
      placeholder={placeholder}
      grow
    />
    <Field
      label={LIMIT_LABEL}
      name="writeLimit"
      type="number"
      required
      min="1"
      max={MAX_WRITE_LIMIT}
      step="1"
      value={limit}
    />
  </>
);

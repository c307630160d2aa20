/** Fields of the forms that create and change keys. */
import type { FC } from "hono/jsx";

import { MAX_WRITE_LIMIT } from "../../config.ts";
import type { KeySummary } from "../../db/workspaces/api-keys.ts";
import { truncate } from "../components/truncate.ts";
import { LIMIT_LABEL } from "../forms/admin-forms.tsx";
import { Field } from "../forms/fields.tsx";

export const nameOfKey = ({ name }: KeySummary): string => (name === null ? "Unnamed key" : truncate(name));

export const OriginsField: FC<{ value: string; required?: boolean }> = ({ value, required }) => (
  <label class="field">
    Origins, one a line
    <textarea name="origins" rows={3} required={required} placeholder={"https://app.example.com"}>
      {value}
    </textarea>
    <span class="note">
      The pages that may use the key. https://*.example.com is every subdomain. Without a limit, the key has half of the
      workspace’s. Everybody can read it, so it only sends events.
    </span>
  </label>
);

export const OwnLimitField: FC<{ value: string }> = ({ value }) => (
  <Field
    label={LIMIT_LABEL}
    name="writeLimit"
    type="number"
    min="1"
    max={MAX_WRITE_LIMIT}
    step="1"
    placeholder="no limit of its own"
    value={value}
  />
);

export const LastDayField: FC<{ value: string }> = ({ value }) => (
  <Field label="Last day (UTC)" name="lastDay" type="date" value={value} />
);

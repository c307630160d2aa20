/** The form that creates a destination. It accepts what the API accepts, encoded as forms encode it. */
import type { FC } from "hono/jsx";
import * as z from "zod";

import { SEVERITIES } from "../../core/inbox/model.ts";
import { DESTINATION_KINDS, SUBSCRIBED_EVENTS, type SubscribedEvent, WEEKDAYS } from "../../core/notify/model.ts";
import { newDestination } from "../../edge/schemas/destination-requests.ts";
import type { OpenWorkspace } from "../../db/workspaces/find-workspace.ts";
import { CreationId } from "../forms/admin-forms.tsx";
import { Field, Select } from "../forms/fields.tsx";
import { pathOf } from "../paths.ts";
import { EVENT_NAMES, KIND_NAMES } from "./labels.ts";

/** Forms send empty fields too. */
const filled = (value: unknown): unknown => (typeof value === "string" ? value.trim() || undefined : value);

/** Makes the body of the API's request of a form's fields. */
function bodyOf(form: Record<string, unknown>): unknown {
  const events = [form["events"] ?? []].flat();
  const [every, mrr] = [filled(form["every"]), filled(form["minMrr"])];
  return {
    id: `dst_${String(form["creationId"])}`,
    kind: form["kind"],
    url: filled(form["url"]) ?? "",
    events,
    filter: {
      minSeverity: filled(form["minSeverity"]),
      minMrr: mrr === undefined ? undefined : Number(mrr),
      owner: filled(form["owner"]),
    },
    includeIdentity: form["includeIdentity"] !== undefined,
    digest: events.includes("digest")
      ? { every, at: filled(form["at"]), weekday: every === "week" ? filled(form["weekday"]) : undefined }
      : null,
  };
}

export const destinationForm = z
  .record(z.string(), z.unknown())
  .transform(bodyOf)
  .pipe(newDestination.extend({ id: z.string().regex(/^dst_[0-9a-f]{24}$/) }));

const ERRORS: Record<string, string> = {
  url: "Enter a URL.",
  events: "Select what to send.",
  filter: "“Minimum MRR” must be a number, and “Owner” a line of at most 128 characters.",
  digest: "Enter the time of the digest.",
};

/** Explains the first error of a form. */
export const destinationErrorOf = ({ issues: [issue] }: z.ZodError): string =>
  ERRORS[String(issue?.path[0])] ?? "Incomplete form. Reload the page and try again.";

const EVENT_NOTES: Record<SubscribedEvent, string> = {
  "inbox.opened": "an item opens",
  "inbox.resolved": "an item is resolved",
  "health.changed": "an account becomes healthy, watch or at risk",
  digest: "what opened, was resolved and is still open",
};

const capitalized = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);
const optionOf = (value: string) => [value, capitalized(value)] as const;

interface DestinationFormProps {
  workspace: OpenWorkspace;
  mayIdentify: boolean;
  /** The fields of a form that was refused. */
  entered: Readonly<Record<string, unknown>>;
}

export const DestinationForm: FC<DestinationFormProps> = ({ workspace, mayIdentify, entered }) => {
  const valueOf = (name: string, otherwise = "") => {
    const value = entered[name];
    return typeof value === "string" ? value : otherwise;
  };
  const events = new Set([entered["events"] ?? "inbox.opened"].flat());
  return (
    <form
      method="post"
      action={pathOf(workspace, "settings", "destinations")}
      class="column settings-form"
      autocomplete="off"
    >
      <CreationId />
      <div class="row">
        <Select
          label="Kind"
          name="kind"
          options={DESTINATION_KINDS.map((kind) => [kind, KIND_NAMES[kind]])}
          selected={valueOf("kind", "slack")}
        />
        <Field
          label="URL"
          name="url"
          type="url"
          required
          maxlength={2000}
          placeholder="https://hooks.slack.com/services/…"
          value={valueOf("url")}
          grow
        />
      </div>
      <fieldset>
        <legend>Send</legend>
        <ul class="choices">
          {SUBSCRIBED_EVENTS.map((event) => (
            <li>
              <label>
                <input type="checkbox" name="events" value={event} checked={events.has(event)} />
                <span>
                  {EVENT_NAMES[event]} <span class="note">{EVENT_NOTES[event]}</span>
                </span>
              </label>
            </li>
          ))}
        </ul>
      </fieldset>
      <div class="row">
        <Select
          label="Minimum severity"
          name="minSeverity"
          options={[["", "Any"], ...SEVERITIES.map(optionOf)]}
          selected={valueOf("minSeverity")}
        />
        <Field
          label="Minimum MRR"
          name="minMrr"
          type="number"
          min="0"
          step="any"
          placeholder="any"
          value={valueOf("minMrr")}
        />
        <Field label="Owner" name="owner" maxlength={128} placeholder="anyone" value={valueOf("owner")} />
      </div>
      <div class="row">
        <Select
          label="Digest"
          name="every"
          options={[
            ["day", "Daily"],
            ["week", "Weekly"],
          ]}
          selected={valueOf("every", "day")}
        />
        <Field label={`At (${workspace.timezone})`} name="at" type="time" value={valueOf("at", "09:00")} />
        <Select label="On" name="weekday" options={WEEKDAYS.map(optionOf)} selected={valueOf("weekday", "monday")} />
      </div>
      {mayIdentify && (
        <label>
          <input type="checkbox" name="includeIdentity" value="yes" checked={"includeIdentity" in entered} /> Include
          names of companies and people
        </label>
      )}
      <button class="primary" type="submit">
        Create destination
      </button>
    </form>
  );
};

/** The form that creates a destination. It accepts what the API accepts, encoded as forms encode it. */
import type { FC } from "hono/jsx";
import * as z from "zod";

import { SEVERITIES } from "../../core/inbox/model.ts";
import { DESTINATION_KINDS, SUBSCRIBED_EVENTS, type SubscribedEvent, WEEKDAYS } from "../../core/notify/model.ts";
import { newDestination } from "../../edge/schemas/destination-requests.ts";
import type { OpenWorkspace } from "../../db/workspaces/find-workspace.ts";
import { Field, Select } from "../forms/fields.tsx";
import { pathOf } from "../paths.ts";
import { EVENT_NAMES, KIND_NAMES } from "./labels.ts";

/** Forms send a single choice as a string, and empty fields. */
const given = (value: unknown): unknown => (value === "" ? undefined : value);
const filled = (value: unknown) => given(typeof value === "string" ? value.trim() : value);

/** The body of the API's request. */
export const destinationForm = z
  .object({
    kind: z.unknown(),
    url: z.unknown(),
    events: z.unknown(),
    minSeverity: z.unknown(),
    minMrr: z.unknown(),
    owner: z.unknown(),
    includeIdentity: z.unknown(),
    every: z.unknown(),
    at: z.unknown(),
    weekday: z.unknown(),
  })
  .transform((form) => {
    const events = [form.events ?? []].flat();
    const every = filled(form.every);
    const mrr = filled(form.minMrr);
    const filter = { minSeverity: filled(form.minSeverity), minMrr: mrr && Number(mrr), owner: filled(form.owner) };
    const weekday = every === "week" ? filled(form.weekday) : undefined;
    return {
      kind: form.kind,
      url: filled(form.url) ?? "",
      events,
      filter: Object.fromEntries(Object.entries(filter).filter(([, value]) => value !== undefined)),
      includeIdentity: form.includeIdentity !== undefined,
      digest: events.includes("digest")
        ? { every, at: filled(form.at), ...(weekday !== undefined && { weekday }) }
        : null,
    };
  })
  .pipe(newDestination);

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
}

export const DestinationForm: FC<DestinationFormProps> = ({ workspace, mayIdentify }) => (
  <form
    method="post"
    action={pathOf(workspace, "settings", "destinations")}
    class="column settings-form"
    autocomplete="off"
  >
    <div class="row">
      <Select
        label="Kind"
        name="kind"
        options={DESTINATION_KINDS.map((kind) => [kind, KIND_NAMES[kind]])}
        selected="slack"
      />
      <Field
        label="URL"
        name="url"
        type="url"
        required
        maxlength={2000}
        placeholder="https://hooks.slack.com/services/…"
        grow
      />
    </div>
    <fieldset>
      <legend>Send</legend>
      <ul class="choices">
        {SUBSCRIBED_EVENTS.map((event) => (
          <li>
            <label>
              <input type="checkbox" name="events" value={event} checked={event === "inbox.opened"} />
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
        selected=""
      />
      <Field label="Minimum MRR" name="minMrr" type="number" min="0" step="any" placeholder="any" />
      <Field label="Owner" name="owner" maxlength={128} placeholder="anyone" />
    </div>
    <div class="row">
      <Select
        label="Digest"
        name="every"
        options={[
          ["day", "Daily"],
          ["week", "Weekly"],
        ]}
        selected="day"
      />
      <Field label={`At (${workspace.timezone})`} name="at" type="time" value="09:00" />
      <Select label="On" name="weekday" options={WEEKDAYS.map(optionOf)} selected="monday" />
    </div>
    {mayIdentify && (
      <label>
        <input type="checkbox" name="includeIdentity" value="yes" /> Include names of companies and people
      </label>
    )}
    <button class="primary" type="submit">
      Create destination
    </button>
  </form>
);

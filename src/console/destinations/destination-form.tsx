/** The form that creates a destination, or changes one. */
import type { Child, FC } from "hono/jsx";

import { KIND_NAMES as ITEM_KIND_NAMES } from "../../core/inbox/kind-names.ts";
import { ITEM_KINDS, SEVERITIES } from "../../core/inbox/model.ts";
import { DESTINATION_KINDS, SUBSCRIBED_EVENTS, WEEKDAYS } from "../../core/notify/model.ts";
import type { Destination } from "../../db/destinations/destinations.ts";
import type { OpenWorkspace } from "../../db/workspaces/find-workspace.ts";
import { labelOf } from "../ask/answer-labels.ts";
import { CreationId } from "../forms/admin-forms.tsx";
import { Field, OwnerField, Select } from "../forms/fields.tsx";
import { pathOf } from "../paths.ts";
import { chosen, type Entered } from "./destination-fields.ts";
import { EVENT_NAMES, EVENT_NOTES, KIND_NAMES } from "./labels.ts";

export interface DestinationFormProps {
  workspace: OpenWorkspace;
  mayIdentify: boolean;
  /** Only administrators may change the time zone. */
  isAdmin: boolean;
  /** The owners in use. */
  owners: readonly string[];
  /** The fields that the form begins with, or those of a form that was refused. */
  entered: Entered;
  /** The one to change. */
  destination?: Destination;
}

const optionOf = (value: string) => [value, labelOf(value)] as const;

export const DestinationForm: FC<DestinationFormProps> = (props) => {
  const { workspace, mayIdentify, owners, entered, destination } = props;
  const valueIn = valueReader(entered);
  const parts = ["settings", "destinations", ...(destination === undefined ? [] : [destination.id])];
  return (
    <form method="post" action={pathOf(workspace, ...parts)} class="column" autocomplete="off">
      {destination === undefined ? <NewAddress valueIn={valueIn} /> : <ChangedAddress {...{ destination, valueIn }} />}
      <fieldset>
        <legend>Send</legend>
        <ul class="choices">
          {SUBSCRIBED_EVENTS.map((event) => (
            <li>
              <Choice name="events" value={event} entered={entered}>
                {EVENT_NAMES[event]} <span class="note">{EVENT_NOTES[event]}</span>
              </Choice>
              {event === "digest" && <DigestFields {...props} valueIn={valueIn} />}
            </li>
          ))}
        </ul>
      </fieldset>
      <fieldset class="stack">
        <legend>Only</legend>
        <div class="row">
          <Select
            label="Minimum severity"
            name="minSeverity"
            options={[["", "Any"], ...SEVERITIES.map(optionOf)]}
            selected={valueIn("minSeverity")}
          />
          <Field
            label="Minimum MRR, in the account’s currency"
            name="minMrr"
            type="number"
            min="0"
            step="any"
            placeholder="any"
            value={valueIn("minMrr")}
          />
          <OwnerField owners={owners} value={valueIn("owner")} placeholder="anyone" />
        </div>
        <Kinds entered={entered} />
      </fieldset>
      {mayIdentify && (
        <div class="choices">
          <Choice name="includeIdentity" value="yes" entered={entered}>
            Include names of companies and people
          </Choice>
        </div>
      )}
      <button class="primary" type="submit">
        {destination === undefined ? "Create destination" : "Save changes"}
      </button>
    </form>
  );
};

type ValueIn = (name: string) => string;

const valueReader =
  (entered: Entered): ValueIn =>
  (name) => {
    const value = entered[name];
    return typeof value === "string" ? value : "";
  };

const Choice: FC<{ name: string; value: string; entered: Entered; children: Child }> = (props) => (
  <label>
    <input
      type="checkbox"
      name={props.name}
      value={props.value}
      checked={chosen(props.entered, props.name).includes(props.value)}
    />
    <span>{props.children}</span>
  </label>
);

const NewAddress: FC<{ valueIn: ValueIn }> = ({ valueIn }) => (
  <div class="stack">
    <CreationId />
    <div class="row">
      <Select
        label="Kind"
        name="kind"
        options={DESTINATION_KINDS.map((kind) => [kind, KIND_NAMES[kind]])}
        selected={valueIn("kind")}
      />
      <Field
        label="URL"
        name="url"
        type="url"
        required
        maxlength={2000}
        placeholder="https://hooks.slack.com/services/…"
        value={valueIn("url")}
        grow
      />
    </div>
    <p class="note">
      Slack: create an app with incoming webhooks, add it to the channel, and copy the webhook’s URL. Teams: in the
      channel, choose Workflows, then “Post to a channel when a webhook request is received”, and copy its URL.
    </p>
  </div>
);

const ChangedAddress: FC<{ destination: Destination; valueIn: ValueIn }> = ({ destination, valueIn }) => (
  <Field
    label="New URL (leave it empty to keep the URL)"
    name="url"
    type="url"
    maxlength={2000}
    placeholder={destination.kind === "webhook" ? destination.shownUrl : `${destination.shownUrl}/…`}
    value={valueIn("url")}
  />
);

/** The styles hide them until “Digest” is ticked. */
const DigestFields: FC<Pick<DestinationFormProps, "workspace" | "isAdmin"> & { valueIn: ValueIn }> = ({
  workspace,
  isAdmin,
  valueIn,
}) => (
  <div class="digest-times stack">
    <div class="row">
      <Select
        label="Digest"
        name="every"
        options={[
          ["day", "Daily"],
          ["week", "Weekly"],
        ]}
        selected={valueIn("every")}
      />
      <Field label={`At (${workspace.timezone})`} name="at" type="time" value={valueIn("at")} />
      <Select label="On (if weekly)" name="weekday" options={WEEKDAYS.map(optionOf)} selected={valueIn("weekday")} />
    </div>
    {isAdmin && (
      <p class="note">
        <a href={pathOf(workspace, "settings")}>Change the time zone</a>
      </p>
    )}
  </div>
);

const Kinds: FC<{ entered: Entered }> = ({ entered }) => {
  const { length } = chosen(entered, "kinds");
  return (
    <details>
      <summary>Kinds of items{length > 0 && `: ${length} ticked`}</summary>
      <p class="note">Without a tick, items of all kinds are sent.</p>
      <ul class="choices">
        {ITEM_KINDS.map((kind) => (
          <li>
            <Choice name="kinds" value={kind} entered={entered}>
              {ITEM_KIND_NAMES[kind]}
            </Choice>
          </li>
        ))}
      </ul>
    </details>
  );
};

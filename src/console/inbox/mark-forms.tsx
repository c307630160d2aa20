/**
 * The forms that mark items: contacted, snoozed, dismissed, a note. They work without script. The keys of the inbox move the focus
 * to what has the same `data-key`.
 */
import type { FC, PropsWithChildren } from "hono/jsx";

import { clockTime } from "../../core/local-time.ts";
import { DISMISS_REASONS } from "../../core/inbox/marks.ts";
import type { OpenWorkspace } from "../../db/workspaces/find-workspace.ts";
import type { StoredItem } from "../../db/inbox/list-items.ts";
import { MAX_NOTE_CHARACTERS } from "../../edge/schemas/marks.ts";
import { labelOf } from "../ask/answer-labels.ts";
import { Moment, Notice } from "../components/elements.tsx";
import { nameOfActor } from "../components/format.ts";
import { truncate } from "../components/truncate.ts";
import { AssignToMe, MAX_OWNER_CHARACTERS, OwnerField } from "../forms/fields.tsx";
import type { Owner } from "../owner-ids.ts";
import { type Deed, type InboxFilter, inboxPath, UNDONE } from "./inbox-filter.ts";
import { isSnoozed, itemTexts } from "./item-labels.ts";

interface Place {
  workspace: Pick<OpenWorkspace, "id" | "timezone" | "user">;
  filter: InboxFilter;
}

type MarkFormProps = PropsWithChildren<Place & { ids: readonly string[]; id?: string }>;

const MarkForm: FC<MarkFormProps> = ({ workspace, filter, ids, id, children }) => (
  <form class="cluster marks" method="post" action={inboxPath(workspace, filter, "mark")} {...(id && { id })}>
    {ids.map((each) => (
      <input type="hidden" name="ids" value={each} />
    ))}
    {children}
  </form>
);

type ActionProps = { value: string; label: string; dataKey?: string; formnovalidate?: boolean };

const Action: FC<ActionProps> = ({ value, label, dataKey, ...rest }) => (
  <button type="submit" name="mark" value={value} {...rest} {...(dataKey && { "data-key": dataKey })}>
    {label}
  </button>
);

/** The choices that both one item and several have. They need no field. */
const Choices: FC<{ isContacted?: boolean }> = ({ isContacted }) => (
  <>
    {isContacted !== true && <Action value="contacted" label="Contacted" dataKey="c" formnovalidate />}
    <fieldset class="cluster">
      <legend>Snooze until</legend>
      <Action value="snooze tomorrow" label="Tomorrow 9:00" dataKey="s" formnovalidate />
      <Action value="snooze monday" label="Monday 9:00" formnovalidate />
    </fieldset>
    <fieldset class="cluster">
      <legend>Dismiss</legend>
      {DISMISS_REASONS.map((reason, index) => (
        <Action
          value={`dismiss ${reason}`}
          label={labelOf(reason)}
          {...(index === 0 && { dataKey: "e" })}
          formnovalidate
        />
      ))}
    </fieldset>
  </>
);

/** Marks the items whose boxes are checked. The owner comes first, because Enter presses the first button. */
export const BulkForm: FC<Place & { owners: readonly Owner[] }> = ({ owners, ...place }) => (
  <MarkForm {...place} ids={[]} id="bulk">
    <span class="note">With the selected items:</span>
    <label class="cluster">
      Owner
      <input name="owner" maxlength={MAX_OWNER_CHARACTERS} list="bulk-owners" data-key="o" required />
    </label>
    <datalist id="bulk-owners">
      {owners.map(({ name }) => (
        <option value={name} />
      ))}
    </datalist>
    <button type="submit" formaction={inboxPath(place.workspace, place.filter, "owner")}>
      Set owner
    </button>
    <Choices />
  </MarkForm>
);

export const ItemForms: FC<Place & { item: StoredItem; owners: readonly string[] }> = ({ item, owners, ...place }) => {
  const { workspace, filter } = place;
  const ids = [item.id];
  return (
    <div class="stack item-forms">
      <MarkForm {...place} {...{ ids }}>
        {item.dismissedAt !== null && <Action value="undo dismiss" label="Reopen" />}
        {isSnoozed(item) && <Action value="undo snooze" label="End the snooze" />}
        {item.contactedAt !== null && <Action value="undo contacted" label="Not contacted" />}
        {item.dismissedAt === null && <Choices isContacted={item.contactedAt !== null} />}
      </MarkForm>
      {item.dismissedAt === null && (
        <MarkForm {...place} {...{ ids }}>
          <label class="cluster">
            Or until <input type="date" name="date" required />
          </label>
          <Action value="snooze date" label="Snooze" />
        </MarkForm>
      )}
      <MarkForm {...place} {...{ ids }}>
        <label class="field grow">
          Note
          <textarea name="note" rows={2} maxlength={MAX_NOTE_CHARACTERS} data-key="n">
            {item.note}
          </textarea>
        </label>
        <Action value="note" label="Save note" />
        {item.noteBy !== null && (
          <span class="note">
            {nameOfActor(item.noteBy)} saved it <Moment at={item.noteAt} />
          </span>
        )}
        <span class="note" data-draft hidden>
          Not saved yet
        </span>
      </MarkForm>
      {item.account !== null && (
        <form class="cluster marks" method="post" action={inboxPath(workspace, filter, "owner")} autocomplete="off">
          <input type="hidden" name="ids" value={item.id} />
          <input type="hidden" name="show" value={item.id} />
          <OwnerField owners={owners} value={item.owner ?? ""} placeholder="nobody" />
          <button type="submit">Save owner</button>
          <AssignToMe user={workspace.user} owner={item.owner} />
        </form>
      )}
    </div>
  );
};

/** Confirms the last action, as far as the items still show it, and offers to undo it. */
export const ChangedNotice: FC<Place & { did: Deed | undefined; items: readonly StoredItem[] }> = ({
  did,
  items: changed,
  ...place
}) => {
  const items = changed.filter((each) => did !== undefined && each.resolvedDay === null && shows(each, did));
  const [item] = items;
  if (did === undefined || item === undefined) return null;
  const what = items.length === 1 ? itemTexts(item).title : `${items.length} items`;
  const said = SAID[did](item, place.workspace.timezone);
  return (
    <Notice tone="good">
      <span>{`${said}: ${what}.`}</span>
      {UNDONE.some((deed) => deed === did) && (
        <MarkForm {...place} ids={items.map(({ id }) => id)}>
          <Action value={`undo ${did}`} label="Undo" dataKey="u" />
        </MarkForm>
      )}
    </Notice>
  );
};

const SAID: Readonly<Record<Deed, (item: StoredItem, timezone: string) => string>> = {
  dismiss: () => "Dismissed",
  snooze: ({ snoozedUntil }, timezone) => `Snoozed until ${clockTime(snoozedUntil ?? 0, timezone)}`,
  contacted: () => "Contacted",
  undo: () => "Undone",
  note: () => "Note saved",
  owner: ({ owner }) => `Owner saved, ${owner === null ? "nobody" : truncate(owner)}`,
};

function shows(item: StoredItem, did: Deed): boolean {
  if (did === "dismiss") return item.dismissedAt !== null;
  if (did === "snooze") return isSnoozed(item);
  return did !== "contacted" || item.contactedAt !== null;
}

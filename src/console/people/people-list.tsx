/** The list of people, and the fields that decide what a person may do. */
import type { FC } from "hono/jsx";

import { ROLES } from "../../core/role.ts";
import type { Person } from "../../db/people/people.ts";
import type { TableColumns } from "../components/table.tsx";
import { truncate } from "../components/truncate.ts";
import { Select } from "../forms/fields.tsx";
import type { Entered } from "../forms/key-forms.ts";

export const PATH = "/console/people";
/** Workspaces in a form, so that the page stays small. */
export const MAX_CHOICES = 100;
/** The value of the checkbox for all workspaces. */
export const ALL = "all";

export const idsIn = (value: unknown): unknown[] => (value === undefined ? [] : [value].flat());

const ROLE_TEXTS = {
  admin: "admin: does everything",
  member: "member: reads and marks",
  viewer: "viewer: reads",
} as const;

type Names = ReadonlyMap<string, string>;

/** @param names of the workspaces to choose from. The others are the values of the fields */
export const AccessFields: FC<{ names: Names } & Entered> = ({ names, role, workspaces }) => {
  const chosen = new Set(idsIn(workspaces));
  return (
    <>
      <Select
        label="Role"
        name="role"
        selected={String(role)}
        options={ROLES.map((each) => [each, ROLE_TEXTS[each]])}
      />
      <fieldset>
        <legend>Workspaces that a member or viewer may open</legend>
        <ul class="choices workspaces">
          {[[ALL, "All, including future ones"] as const, ...names].map(([id, name]) => (
            <li>
              <label>
                <input type="checkbox" name="workspaces" value={id} checked={chosen.has(id)} /> {truncate(name)}
              </label>
            </li>
          ))}
        </ul>
        {names.size >= MAX_CHOICES && (
          <p class="note">These are the newest. PATCH /admin/people/… opens every workspace by its id.</p>
        )}
      </fieldset>
    </>
  );
};

/** Asks once more before something is removed. */
export const Confirm: FC<{ does: string; name: string; action: string; note: string }> = ({
  does,
  name,
  action,
  note,
}) => (
  <details class="confirm">
    <summary aria-label={`${does} ${truncate(name)}`}>{does}</summary>
    <form class="stack" method="post" action={action}>
      <p class="note">{note}</p>
      <button class="bad" type="submit">
        {does}
      </button>
    </form>
  </details>
);

const MAX_LISTED_CHARACTERS = 200;

export const columnsOf = (names: Names, mayChange: boolean): TableColumns<Person> => [
  {
    title: "E-mail address",
    cell: ({ email, role }) => (
      <>
        {truncate(email)} <span class="under">{role}</span>
      </>
    ),
  },
  {
    title: "Workspaces",
    cell: ({ role, workspaces }) =>
      role === "admin" || workspaces === null
        ? "all workspaces"
        : truncate(workspaces.map((id) => names.get(id) ?? id).join(", ") || "no workspace", MAX_LISTED_CHARACTERS),
  },
  {
    title: <span class="visually-hidden">Change</span>,
    class: "num",
    cell: ({ id, email }) =>
      mayChange && (
        <>
          <a href={`${PATH}?change=${id}#change`} aria-label={`Change ${truncate(email)}`}>
            Change
          </a>
          <Confirm
            does="Remove"
            name={email}
            action={`${PATH}/${id}/remove`}
            note="The next request is refused. What the person marked stays."
          />
        </>
      ),
  },
];

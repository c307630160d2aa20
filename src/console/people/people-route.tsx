/** The people who sign in by single sign-on, their roles and workspaces. For administrators. */
import { Hono } from "hono";
import type { FC } from "hono/jsx";
import * as z from "zod";

import { accessSettings } from "../../config.ts";
import { ROLES } from "../../core/role.ts";
import { findPerson, listPeople, type Person } from "../../db/people/people.ts";
import type { AppContext, AppEnv } from "../../edge/app-context.ts";
import { pageOf, readCursor } from "../../edge/cursor.ts";
import { operation } from "../../edge/request-log.ts";
import { newPerson } from "../../edge/schemas/people-requests.ts";
import { addPerson, changePerson, removePerson } from "../../services/people.ts";
import { Card, Empty, FormError, Heading, Moment, Notice, Pager } from "../components/elements.tsx";
import { Table, type TableColumns } from "../components/table.tsx";
import { truncate } from "../components/truncate.ts";
import { Field, Select } from "../forms/fields.tsx";
import { readForm } from "../forms/read-form.ts";
import { notFoundPage } from "../layout/error-pages.tsx";
import { Page } from "../layout/page.tsx";
import { requireAdmin } from "../session/guards.ts";
import { actorOf, mayPost } from "../session/session.ts";

const PATH = "/console/people";
const LIST = ["console/people"];
const PAGE_ROWS = 50;

/** Ids in one field. An empty field stands for all workspaces. */
const ids = (value: unknown) => {
  const listed = String(value ?? "")
    .split(/[\s,]+/)
    .filter((id) => id !== "");
  return listed.length === 0 ? null : listed;
};
const changeForm = z.object({ role: newPerson.shape.role, workspaces: z.preprocess(ids, newPerson.shape.workspaces) });
const personForm = changeForm.extend({
  email: z.preprocess((value) => (typeof value === "string" ? value.trim() : value), newPerson.shape.email),
});

const ERRORS: Record<string, string> = {
  email: "“E-mail address” must be an e-mail address.",
  workspaces: "“Workspaces” must be ids such as ws_0123456789abcdef01234567, separated by spaces.",
};
const errorOf = ({ issues: [issue] }: z.ZodError): string =>
  ERRORS[String(issue?.path[0])] ?? "Incomplete form. Reload the page and try again.";

const noSuchPerson = (c: AppContext) => notFoundPage(c, "This person is not registered.");

export const peoplePages = new Hono<AppEnv>()
  .use(requireAdmin)
  .get("/", operation("console_people"), (c) => peoplePage(c))
  .post("/", operation("console_add_person"), async (c) => {
    const form = personForm.safeParse(await readForm(c));
    if (!form.success) return peoplePage(c, errorOf(form.error));
    const added = await addPerson(c.env, form.data, Date.now(), actorOf(c.get("session")));
    return added === null ? peoplePage(c, "This e-mail address is registered already.") : c.redirect(PATH, 303);
  })
  .post("/:id", operation("console_change_person"), async (c) => {
    const form = changeForm.safeParse(await readForm(c));
    if (!form.success) return peoplePage(c, errorOf(form.error));
    const person = await findPerson(c.env, c.req.param("id"));
    const changed = person && (await changePerson(c.env, person, form.data, actorOf(c.get("session"))));
    return changed === null ? noSuchPerson(c) : c.redirect(PATH, 303);
  })
  .post("/:id/remove", operation("console_remove_person"), async (c) => {
    const isRemoved = await removePerson(c.env, c.req.param("id"), actorOf(c.get("session")));
    return isRemoved ? c.redirect(PATH, 303) : noSuchPerson(c);
  });

async function peoplePage(c: AppContext, error?: string): Promise<Response> {
  const before = readCursor(LIST, c.req.query("cursor"));
  if (before === undefined) return c.redirect(PATH, 303);
  const listed = await listPeople(c.env, PAGE_ROWS + 1, before);
  const { page, nextCursor } = pageOf(listed, PAGE_ROWS, LIST, ({ number }) => number);
  return c.html(
    <Page c={c} title="People · Behavior Ingest">
      <Heading title="People" lead="Who signs in by Cloudflare Access, without a key.">
        {c.get("session").by !== "token" && <a href="/console/tokens">Administrators’ tokens</a>}
        <a href="/console/docs/operations.txt">Documentation</a>
      </Heading>
      <FormError error={error} />
      {accessSettings(c.env) === null && (
        <Notice tone="watch">
          Single sign-on isn’t set up: nobody can sign in by it before ACCESS_TEAM_DOMAIN and ACCESS_AUD are set.
        </Notice>
      )}
      <Card>
        <Table
          caption="People, newest first"
          columns={COLUMNS}
          rows={page}
          empty={<Empty title="No people yet">Add the first one below.</Empty>}
        />
        <Pager
          next={nextCursor === null ? null : `${PATH}?cursor=${nextCursor}`}
          first={before === null ? null : PATH}
        />
      </Card>
      {mayPost(c.get("session"), PATH) && (
        <Card title="Add a person">
          <form method="post" action={PATH} class="row" autocomplete="off">
            <Field label="E-mail address" name="email" type="email" required maxlength={254} grow />
            <AccessFields role="member" workspaces={null} />
            <button class="primary" type="submit">
              Add person
            </button>
          </form>
        </Card>
      )}
    </Page>,
    error === undefined ? 200 : 400,
  );
}

const ROLE_TEXTS = {
  admin: "admin: does everything",
  member: "member: reads and marks",
  viewer: "viewer: reads",
} as const;

const AccessFields: FC<Pick<Person, "role" | "workspaces">> = ({ role, workspaces }) => (
  <>
    <Select label="Role" name="role" selected={role} options={ROLES.map((each) => [each, ROLE_TEXTS[each]])} />
    <Field
      label="Workspaces (ids; empty for all)"
      name="workspaces"
      value={workspaces?.join(" ") ?? ""}
      placeholder="all"
      grow
    />
  </>
);

const COLUMNS: TableColumns<Person> = [
  { title: "E-mail address", cell: ({ email }) => truncate(email) },
  { title: "Role", cell: ({ role }) => role },
  {
    title: "Workspaces",
    cell: ({ role, workspaces }) =>
      role === "admin" || workspaces === null ? "all" : truncate(workspaces.join(", ") || "none"),
  },
  { title: "Added", class: "optional", cell: ({ createdAt }) => <Moment at={createdAt} /> },
  {
    title: <span class="visually-hidden">Change</span>,
    cell: (person) => (
      <>
        <details class="confirm">
          <summary aria-label={`Change ${truncate(person.email)}`}>Change</summary>
          <form class="stack" method="post" action={`${PATH}/${person.id}`} autocomplete="off">
            <AccessFields {...person} />
            <button type="submit">Save</button>
          </form>
        </details>
        <details class="confirm">
          <summary aria-label={`Remove ${truncate(person.email)}`}>Remove</summary>
          <form class="stack" method="post" action={`${PATH}/${person.id}/remove`}>
            <p class="note">The person is signed out at once. What the person marked stays.</p>
            <button class="bad" type="submit">
              Remove person
            </button>
          </form>
        </details>
      </>
    ),
  },
];

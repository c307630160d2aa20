/** The people who sign in by single sign-on, and the named tokens of administrators. For administrators. */
import { Hono } from "hono";
import type { FC } from "hono/jsx";
import * as z from "zod";

import { accessSettings } from "../../config.ts";
import { ROLES } from "../../core/role.ts";
import { type AdminToken, listAdminTokens, listPeople, type Person } from "../../db/people/people.ts";
import type { AppContext, AppEnv } from "../../edge/app-context.ts";
import { pageOf, readCursor } from "../../edge/cursor.ts";
import { operation } from "../../edge/request-log.ts";
import { newAdminToken, newPerson } from "../../edge/schemas/people-requests.ts";
import { addPerson, changePerson, createAdminToken, deleteAdminToken, removePerson } from "../../services/people.ts";
import { isoDate } from "../../services/present/iso.ts";
import {
  Badge,
  Card,
  DocsLink,
  Empty,
  FormError,
  Heading,
  NewKeyNotice,
  orNone,
  Pager,
} from "../components/elements.tsx";
import { Table, type TableColumns } from "../components/table.tsx";
import { truncate } from "../components/truncate.ts";
import { CreationId, creationId } from "../forms/admin-forms.tsx";
import { Field, Select } from "../forms/fields.tsx";
import { readForm } from "../forms/read-form.ts";
import { forbiddenPage, notFoundPage } from "../layout/error-pages.tsx";
import { Page } from "../layout/page.tsx";
import { requireAdmin } from "../session/guards.ts";
import { actorOf, mayPost } from "../session/session.ts";

const PATH = "/console/people";
const TOKENS = "/console/tokens";
const LIST = ["console/people"];
const PAGE_ROWS = 50;
const MAX_TOKENS_BYTES = 30_000;

/** Ids in one field. An empty field stands for all workspaces. */
const idsIn = (text: unknown) => (typeof text === "string" ? text.match(/[^\s,]+/g) : null);
const { shape } = newPerson;
const changeForm = z.object({ role: shape.role, workspaces: z.preprocess(idsIn, shape.workspaces) });
const personForm = changeForm.extend({ email: z.string().trim().pipe(shape.email) });
const tokenForm = newAdminToken.extend({ creationId, readOnly: z.literal("true").optional() });

const ERRORS: Record<string, string> = {
  email: "“E-mail address” must be an e-mail address.",
  workspaces: "“Workspaces” must be ids such as ws_0123456789abcdef01234567, separated by spaces.",
  name: "“Name” must have 1 to 200 characters.",
};
const errorOf = ({ issues: [issue] }: z.ZodError): string =>
  ERRORS[String(issue?.path[0])] ?? "Incomplete form. Reload the page and try again.";

export const peoplePages = new Hono<AppEnv>()
  .use(requireAdmin)
  .get("/", operation("console_people"), (c) => peoplePage(c, {}))
  .post("/", operation("console_add_person"), async (c) => {
    const form = personForm.safeParse(await readForm(c));
    if (!form.success) return peoplePage(c, { error: errorOf(form.error) });
    const added = await addPerson(c.env, form.data, Date.now(), actorOf(c.get("session")));
    return added === null ? peoplePage(c, { error: "This e-mail address is registered already." }) : done(c);
  })
  .post("/:id", operation("console_change_person"), async (c) => {
    const form = changeForm.safeParse(await readForm(c));
    if (!form.success) return peoplePage(c, { error: errorOf(form.error) });
    return done(c, (await changePerson(c.env, c.req.param("id"), form.data, actorOf(c.get("session")))) !== null);
  })
  .post("/:id/remove", operation("console_remove_person"), async (c) =>
    done(c, await removePerson(c.env, c.req.param("id"), actorOf(c.get("session")))),
  );

export const tokenForms = new Hono<AppEnv>()
  .use(requireAdmin, async (c, next) => {
    if (c.get("session").by === "token") return forbiddenPage(c, "You need the ADMIN_TOKEN of the deployment.");
    return next();
  })
  .post("/", operation("console_create_admin_token"), async (c) => {
    const form = tokenForm.safeParse(await readForm(c));
    if (!form.success) return peoplePage(c, { error: errorOf(form.error) });
    const { creationId: id, name, readOnly } = form.data;
    const fields = { id: `token_${id}`, name, readOnly: readOnly !== undefined };
    const created = await createAdminToken(c.env, fields, Date.now(), actorOf(c.get("session")));
    if (created !== null) return peoplePage(c, { newToken: created.token });
    return peoplePage(c, {
      error: "This token exists already. It was shown once: create another if you didn’t copy it.",
    });
  })
  .post("/:id/delete", operation("console_delete_admin_token"), async (c) =>
    done(c, await deleteAdminToken(c.env, c.req.param("id"), actorOf(c.get("session")))),
  );

const done = (c: AppContext, isFound = true) =>
  isFound ? c.redirect(PATH, 303) : notFoundPage(c, "This does not exist any more.");

/** @param newToken is shown only now */
async function peoplePage(c: AppContext, { error, newToken }: { error?: string; newToken?: string }) {
  const before = readCursor(LIST, c.req.query("cursor"));
  if (before === undefined) return c.redirect(PATH, 303);
  const user = c.get("session");
  const [listed, tokens] = await Promise.all([
    listPeople(c.env, PAGE_ROWS + 1, before),
    user.by === "token" ? null : listAdminTokens(c.env),
  ]);
  const { page, nextCursor } = pageOf(listed, PAGE_ROWS, LIST, ({ number }) => number);
  return c.html(
    <Page c={c} title="People · Behavior Ingest">
      <Heading
        title="People"
        lead={
          accessSettings(c.env) === null
            ? "Single sign-on isn’t set up: set ACCESS_TEAM_DOMAIN and ACCESS_AUD, so that the people below can sign in."
            : "Who signs in by Cloudflare Access, without a key."
        }
      >
        <DocsLink page="operations" />
      </Heading>
      <FormError error={error} />
      {newToken !== undefined && <NewKeyNotice value={newToken} />}
      <Card>
        <Table
          caption="People, newest first"
          class="keys narrow"
          columns={PEOPLE}
          rows={page}
          empty={<Empty title="No people yet" />}
        />
        <Pager
          next={nextCursor === null ? null : `${PATH}?cursor=${nextCursor}`}
          first={before === null ? null : PATH}
        />
        {mayPost(user, PATH) && (
          <form method="post" action={PATH} class="row settings-form" autocomplete="off">
            <Field label="E-mail address" name="email" type="email" required maxlength={254} grow />
            <AccessFields role="member" workspaces={null} />
            <button class="primary" type="submit">
              Add person
            </button>
          </form>
        )}
      </Card>
      {tokens !== null && (
        <Card
          title="Administrators’ tokens"
          lead="For programs and people who administer this deployment. Each works like the admin token, and can be deleted by itself."
        >
          <Table
            caption="Tokens, newest first"
            class="keys narrow"
            columns={TOKEN_COLUMNS}
            rows={tokens}
            maxBytes={MAX_TOKENS_BYTES}
            whereAll="GET /admin/tokens lists all of them."
            empty={<Empty title="No named tokens" />}
          />
          <form method="post" action={TOKENS} class="row settings-form" autocomplete="off">
            <CreationId />
            <Field label="Name" name="name" required maxlength={200} pattern=".*\S.*" placeholder="Dashboards" grow />
            <label class="cluster">
              <input type="checkbox" name="readOnly" value="true" checked /> only reads
            </label>
            <button class="primary" type="submit">
              Create token
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
    <Field label="Workspaces (ids)" name="workspaces" value={workspaces?.join(" ")} placeholder="all" grow />
  </>
);

/** A form that opens where it is asked for. */
const Dialog: FC<{ does: string; name: string; action: string; note?: string; access?: Person }> = (props) => (
  <details class="confirm">
    <summary aria-label={`${props.does} ${truncate(props.name)}`}>{props.does}</summary>
    <form class="stack" method="post" action={props.action} autocomplete="off">
      {props.access !== undefined && <AccessFields {...props.access} />}
      {props.note !== undefined && <p class="note">{props.note}</p>}
      <button class={props.note === undefined ? undefined : "bad"} type="submit">
        {props.does}
      </button>
    </form>
  </details>
);

const PEOPLE: TableColumns<Person> = [
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
    class: "optional",
    cell: ({ role, workspaces }) =>
      role === "admin" || workspaces === null ? "all" : truncate(workspaces.join(", ") || "none"),
  },
  {
    title: <span class="visually-hidden">Change</span>,
    class: "num",
    cell: (access) => (
      <>
        <Dialog does="Change" name={access.email} action={`${PATH}/${access.id}`} {...{ access }} />
        <Dialog
          does="Remove"
          name={access.email}
          action={`${PATH}/${access.id}/remove`}
          note="The next request is refused. What the person marked stays."
        />
      </>
    ),
  },
];

const TOKEN_COLUMNS: TableColumns<AdminToken> = [
  {
    title: "Name",
    cell: ({ name, lastFour, readOnly }) => (
      <>
        {truncate(name)} <code class="note">…{lastFour}</code> {readOnly && <Badge tone="none">only reads</Badge>}
      </>
    ),
  },
  { title: "Last used", cell: ({ lastUsedDay }) => orNone(lastUsedDay === null ? null : isoDate(lastUsedDay)) },
  {
    title: <span class="visually-hidden">Delete</span>,
    class: "num",
    cell: ({ id, name }) => (
      <Dialog
        does="Delete"
        {...{ name }}
        action={`${TOKENS}/${id}/delete`}
        note="Programs with this token stop working at once, and its sessions end."
      />
    ),
  },
];

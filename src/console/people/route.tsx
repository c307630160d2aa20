/** The people who sign in by single sign-on, and the named tokens of administrators. For administrators. */
import { Hono } from "hono";
import * as z from "zod";

import { accessSettings } from "../../config.ts";
import { findPerson, listAdminTokens, listPeople } from "../../db/people/people.ts";
import type { AppContext, AppEnv } from "../../edge/app-context.ts";
import { pageOf, readCursor } from "../../edge/cursor.ts";
import { operation } from "../../edge/request-log.ts";
import { newAdminToken, newPerson } from "../../edge/schemas/people-requests.ts";
import { listAmong, listWorkspaces } from "../../db/workspaces/list-workspaces.ts";
import {
  addPerson,
  changePerson,
  createAdminToken,
  deleteAdminToken,
  findUnknownWorkspace,
  removePerson,
} from "../../services/people.ts";
import { Card, DocsLink, Empty, FormError, Heading, NewTokenNotice, Pager } from "../components/elements.tsx";
import { Table } from "../components/table.tsx";
import { truncate } from "../components/truncate.ts";
import { creationId } from "../forms/admin-forms.tsx";
import { Field } from "../forms/fields.tsx";
import { type Entered, textIn } from "../forms/key-forms.ts";
import { readForm } from "../forms/read-form.ts";
import { forbiddenPage, notFoundPage } from "../layout/error-pages.tsx";
import { Page } from "../layout/page.tsx";
import { requireAdmin } from "../session/guards.ts";
import { actorOf, mayPost } from "../session/session.ts";
import { AccessFields, ALL, columnsOf, idsIn, MAX_CHOICES, PATH } from "./people-list.tsx";
import { TokensCard } from "./tokens-card.tsx";

const LIST = ["console/people"];
const PAGE_ROWS = 50;

/** What the checkboxes of `AccessFields` choose. */
const choiceIn = (value: unknown) => (idsIn(value).includes(ALL) ? null : idsIn(value));
const { shape } = newPerson;
const changeForm = z.object({ role: shape.role, workspaces: z.preprocess(choiceIn, shape.workspaces) });
const personForm = changeForm.extend({ email: z.string().trim().pipe(shape.email) });
const tokenForm = newAdminToken.extend({ creationId, readOnly: z.literal("true").optional() });

const UNKNOWN_WORKSPACE = "A selected workspace doesn’t exist any more. Select others.";
const ERRORS: Record<string, string> = {
  email: "“E-mail address” must be an e-mail address.",
  workspaces: UNKNOWN_WORKSPACE,
  name: "“Name” must have 1 to 200 characters.",
};
const errorOf = ({ issues: [issue] }: z.ZodError): string =>
  ERRORS[String(issue?.path[0])] ?? "Incomplete form. Reload the page and try again.";

export const peoplePages = new Hono<AppEnv>()
  .use(requireAdmin)
  .get("/", operation("console_people"), (c) => peoplePage(c, {}))
  .post("/", operation("console_add_person"), async (c) => {
    const entered = await readForm(c);
    const form = personForm.safeParse(entered);
    if (!form.success) return peoplePage(c, { entered, error: errorOf(form.error) });
    if ((await findUnknownWorkspace(c.env, form.data.workspaces)) !== -1)
      return peoplePage(c, { entered, error: UNKNOWN_WORKSPACE });
    const added = await addPerson(c.env, form.data, Date.now(), actorOf(c.get("session")));
    return added === null ? peoplePage(c, { entered, error: "This e-mail address is registered already." }) : done(c);
  })
  .post("/:id", operation("console_change_person"), async (c) => {
    const entered = await readForm(c);
    const form = changeForm.safeParse(entered);
    if (!form.success) return peoplePage(c, { entered, error: errorOf(form.error) });
    if ((await findUnknownWorkspace(c.env, form.data.workspaces)) !== -1)
      return peoplePage(c, { entered, error: UNKNOWN_WORKSPACE });
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
    if (created !== null) return peoplePage(c, { newToken: { value: created.token, readOnly: fields.readOnly } });
    return peoplePage(c, {
      error: "This token exists already. It was shown once: create another if you didn’t copy it.",
    });
  })
  .post("/:id/delete", operation("console_delete_admin_token"), async (c) =>
    done(c, await deleteAdminToken(c.env, c.req.param("id"), actorOf(c.get("session")))),
  );

const done = (c: AppContext, isFound = true) =>
  isFound ? c.redirect(PATH, 303) : notFoundPage(c, "This does not exist any more.");

interface PeoplePageProps {
  error?: string;
  /** What a refused form had. */
  entered?: Entered;
  /** Is shown only now. */
  newToken?: { value: string; readOnly: boolean };
}

async function peoplePage(c: AppContext, { error, entered, newToken }: PeoplePageProps) {
  const before = readCursor(LIST, c.req.query("cursor"));
  if (before === undefined) return c.redirect(PATH, 303);
  const user = c.get("session");
  const changedId = c.req.param("id") ?? c.req.query("change");
  const [listed, tokens, newest, changed] = await Promise.all([
    listPeople(c.env, PAGE_ROWS + 1, before),
    user.by === "token" ? null : listAdminTokens(c.env),
    listWorkspaces(c.env, MAX_CHOICES, null),
    changedId === undefined ? null : findPerson(c.env, changedId),
  ]);
  const older = newest.length < MAX_CHOICES ? [] : await listAmong(c.env, changed?.workspaces ?? [], MAX_CHOICES, null);
  const names = new Map([...newest, ...older].map(({ id, name }) => [id, name]));
  const { page, nextCursor } = pageOf(listed, PAGE_ROWS, LIST, ({ number }) => number);
  const mayChange = mayPost(user, PATH);
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
      {newToken !== undefined && <NewTokenNotice {...newToken} />}
      {changed !== null && mayChange && (
        <Card id="change" title={`Change ${truncate(changed.email)}`}>
          <form method="post" action={`${PATH}/${changed.id}`} class="column" autocomplete="off">
            <AccessFields {...{ names }} {...(entered ?? { ...changed, workspaces: changed.workspaces ?? ALL })} />
            <p class="cluster">
              <button class="primary" type="submit">
                Save changes
              </button>
              <a href={PATH}>Cancel</a>
            </p>
          </form>
        </Card>
      )}
      <Card>
        <Table
          caption="People, newest first"
          class="keys narrow"
          columns={columnsOf(names, mayChange)}
          rows={page}
          empty={
            <Empty title="No people yet">
              People sign in with their company’s account instead of a key, and marks carry their name.{" "}
              {mayChange ? "Add the first person below." : "An administrator can add them."}
            </Empty>
          }
        />
        <Pager
          next={nextCursor === null ? null : `${PATH}?cursor=${nextCursor}`}
          first={before === null ? null : PATH}
        />
        {changed === null && mayChange && (
          <form method="post" action={PATH} class="column settings-form" autocomplete="off">
            <h3>Add person</h3>
            <Field
              label="E-mail address"
              name="email"
              type="email"
              required
              maxlength={254}
              value={textIn(entered ?? {}, "email")}
            />
            <AccessFields {...{ names }} {...(entered ?? { role: "member", workspaces: ALL })} />
            <button class="primary" type="submit">
              Add person
            </button>
          </form>
        )}
      </Card>
      {tokens !== null && <TokensCard {...{ tokens }} />}
    </Page>,
    error === undefined ? 200 : 400,
  );
}

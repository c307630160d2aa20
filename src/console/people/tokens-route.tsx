/** The named tokens of administrators. Sessions of such a token don't manage them. */
import { Hono } from "hono";
import { createMiddleware } from "hono/factory";
import * as z from "zod";

import { type AdminToken, listAdminTokens } from "../../db/people/admin-tokens.ts";
import type { AppContext, AppEnv } from "../../edge/app-context.ts";
import { operation } from "../../edge/request-log.ts";
import { newAdminToken } from "../../edge/schemas/people-requests.ts";
import { createAdminToken, deleteAdminToken } from "../../services/admin-tokens.ts";
import { isoDate } from "../../services/present/iso.ts";
import { Badge, Card, Empty, FormError, Heading, Moment, NewKeyNotice, orNone } from "../components/elements.tsx";
import { Table, type TableColumns } from "../components/table.tsx";
import { truncate } from "../components/truncate.ts";
import { CreationId, creationId } from "../forms/admin-forms.tsx";
import { Field } from "../forms/fields.tsx";
import { readForm } from "../forms/read-form.ts";
import { forbiddenPage, notFoundPage } from "../layout/error-pages.tsx";
import { Page } from "../layout/page.tsx";
import { requireAdmin } from "../session/guards.ts";
import { actorOf } from "../session/session.ts";

const PATH = "/console/tokens";
const MAX_ROWS_BYTES = 60_000;

const tokenForm = z.object({
  creationId,
  name: newAdminToken.shape.name,
  readOnly: z.preprocess((value) => value === "true", z.boolean()),
});

const refuseNamedTokens = createMiddleware<AppEnv>(async (c, next) => {
  if (c.get("session").by === "token") return forbiddenPage(c, "You need the ADMIN_TOKEN of the deployment.");
  await next();
});

export const tokensPages = new Hono<AppEnv>()
  .use(requireAdmin, refuseNamedTokens)
  .get("/", operation("console_admin_tokens"), (c) => tokensPage(c, {}))
  .post("/", operation("console_create_admin_token"), async (c) => {
    const form = tokenForm.safeParse(await readForm(c));
    if (!form.success) return tokensPage(c, { error: "“Name” must have 1 to 200 characters." });
    const { creationId: id, ...fields } = form.data;
    const actor = actorOf(c.get("session"));
    const created = await createAdminToken(c.env, { ...fields, id: `token_${id}` }, Date.now(), actor);
    if (created !== null) return tokensPage(c, { newToken: created.token });
    return tokensPage(c, {
      error: "This token exists already. It was shown once: if you didn’t copy it, create another.",
    });
  })
  .post("/:id/delete", operation("console_delete_admin_token"), async (c) => {
    const isDeleted = await deleteAdminToken(c.env, c.req.param("id"), actorOf(c.get("session")));
    return isDeleted ? c.redirect(PATH, 303) : notFoundPage(c, "This token does not exist.");
  });

/** @param newToken is shown only now */
async function tokensPage(
  c: AppContext,
  { error, newToken }: { error?: string; newToken?: string },
): Promise<Response> {
  const tokens = await listAdminTokens(c.env);
  return c.html(
    <Page c={c} title="Tokens · Behavior Ingest">
      <Heading title="Administrators’ tokens" lead="For programs and people who administer this deployment.">
        <a href="/console/people">People</a>
        <a href="/console/docs/wire/admin.txt">Documentation</a>
      </Heading>
      <FormError error={error} />
      {newToken !== undefined && <NewKeyNotice value={newToken} />}
      <Card lead="Each works for /admin and the console, like the admin token, and can be deleted by itself.">
        <Table
          caption="Tokens, newest first"
          columns={COLUMNS}
          rows={tokens}
          maxBytes={MAX_ROWS_BYTES}
          whereAll="GET /admin/tokens lists all of them."
          empty={<Empty title="No named tokens">Create the first one below.</Empty>}
        />
      </Card>
      <Card title="Create token">
        <form method="post" action={PATH} class="row" autocomplete="off">
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
    </Page>,
    error === undefined ? 200 : 400,
  );
}

const COLUMNS: TableColumns<AdminToken> = [
  {
    title: "Name",
    cell: ({ name, lastFour, readOnly }) => (
      <>
        {truncate(name)} <code class="note">…{lastFour}</code> {readOnly && <Badge tone="none">only reads</Badge>}
      </>
    ),
  },
  { title: "Created", class: "optional", cell: ({ createdAt }) => <Moment at={createdAt} /> },
  { title: "Last used", cell: ({ lastUsedDay }) => orNone(lastUsedDay === null ? null : isoDate(lastUsedDay)) },
  {
    title: <span class="visually-hidden">Delete</span>,
    class: "num",
    cell: ({ id, name }) => (
      <details class="confirm">
        <summary aria-label={`Delete ${truncate(name)}`}>Delete</summary>
        <form class="stack" method="post" action={`${PATH}/${id}/delete`}>
          <p class="note">Programs that use this token stop working at once, and its sessions end.</p>
          <button class="bad" type="submit">
            Delete token
          </button>
        </form>
      </details>
    ),
  },
];

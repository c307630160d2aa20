/** The list of workspaces, and creating one. For administrators. */
import { max } from "d3-array";
import { Hono } from "hono";
import { createMiddleware } from "hono/factory";

import { DEFAULT_WRITE_LIMIT } from "../../core/limit/policy.ts";
import { isAdministrator } from "../../core/role.ts";
import type { AppContext, AppEnv } from "../../edge/app-context.ts";
import { pageOf, readCursor } from "../../edge/cursor.ts";
import { operation } from "../../edge/request-log.ts";
import { createWorkspace } from "../../services/workspaces/workspace-changes.ts";
import { readFigures, listAmong, type ListedWorkspace, listWorkspaces } from "../../db/workspaces/list-workspaces.ts";
import { Card, Empty, FormError, Heading, Moment, Pager } from "../components/elements.tsx";
import { formatNumber } from "../components/format.ts";
import { Table, type TableColumns } from "../components/table.tsx";
import { truncate } from "../components/truncate.ts";
import { CreationId, formErrorOf, NameAndLimit, newWorkspaceForm } from "../forms/admin-forms.tsx";
import { readForm } from "../forms/read-form.ts";
import { StartView } from "../get-started/route.tsx";
import { forbiddenPage, notFoundPage } from "../layout/error-pages.tsx";
import { Page } from "../layout/page.tsx";
import { pathOf } from "../paths.ts";
import { requireAdmin } from "../session/guards.ts";
import { actorOf, mayPost } from "../session/session.ts";

const PATH = "/console/workspaces";
const LIST = ["console/workspaces"];
const PAGE_ROWS = 50;

/** Keys have one workspace, and no list. */
const requireSeveral = createMiddleware<AppEnv>(async (c, next) => {
  if (c.get("session").by === "key") return forbiddenPage(c, "You need the admin token.");
  await next();
});

export const workspacesPages = new Hono<AppEnv>()
  .use(requireSeveral)
  .get("/", operation("console_workspaces"), (c) => listPage(c, {}))
  .post("/", operation("console_create_workspace"), requireAdmin, async (c) => {
    const entered = await readForm(c);
    const form = newWorkspaceForm.safeParse(entered);
    if (!form.success) return listPage(c, entered, formErrorOf(form.error));
    const { creationId, ...settings } = form.data;
    const id = `ws_${creationId}`;
    const created = await createWorkspace(c.env, { ...settings, id }, Date.now(), actorOf(c.get("session")));
    if (created.outcome === "exists") return c.redirect(`${pathOf({ id }, "start")}?done=created`, 303);
    if (created.outcome === "erased")
      return notFoundPage(c, "This workspace was erased. Create a new one in the list of workspaces.");
    if (created.outcome === "no_open_database")
      return listPage(c, entered, "No database takes new workspaces. Add a database or open one.");
    const { workspace, key } = created;
    c.get("logFields").workspace = id;
    c.set("workspace", { ...workspace, scopes: null, user: c.get("session") });
    return c.html(
      <Page c={c} title="New workspace" tab="start">
        <StartView
          workspace={workspace}
          title={`${workspace.name} is ready`}
          createsKeys
          arrivals={{ messages: [], rejections: [], stored: 0, archivedUntil: null, rejectedAs: null }}
          origin={new URL(c.req.url).origin}
          newKey={{ value: key, use: "all" }}
        />
      </Page>,
    );
  });

/** @param entered the fields of a refused form, to show them again */
async function listPage(c: AppContext, entered: Record<string, unknown>, error?: string): Promise<Response> {
  const { name = "", writeLimit = DEFAULT_WRITE_LIMIT } = entered;
  const before = readCursor(LIST, c.req.query("cursor"));
  if (before === undefined) return c.redirect(PATH, 303);
  const user = c.get("session");
  const isAdmin = isAdministrator(user);
  const ids = user.by === "person" && !isAdmin ? user.person.workspaces : null;
  const entries = await (ids === null
    ? listWorkspaces(c.env, PAGE_ROWS + 1, before)
    : listAmong(c.env, ids, PAGE_ROWS + 1, before));
  const { page, nextCursor } = pageOf(entries, PAGE_ROWS, LIST, ({ number }) => number);
  const listed = await readFigures(c.env, page);
  const updatedAt = max(listed, ({ lastRecomputeAt }) => lastRecomputeAt) ?? null;
  return c.html(
    <Page c={c} title="Workspaces · Behavior Ingest">
      <Heading
        title="Workspaces"
        lead={
          <>
            Last update: <Moment at={updatedAt} />
          </>
        }
      >
        {isAdmin && (
          <>
            <a href="/console/people">People</a>
            <a href="/console/databases">Databases</a>
            <a href="/console/audit">Audit log</a>
          </>
        )}
      </Heading>
      <FormError error={error} />
      <Card id="workspaces">
        <Table
          caption="Workspaces, newest first"
          columns={COLUMNS}
          rows={listed}
          empty={
            <Empty title="No workspaces yet">
              {isAdmin
                ? "Create the first one below. It comes with a key and code snippets for sending a first event."
                : "Ask an administrator to open one to you."}
            </Empty>
          }
        />
        <Pager
          next={nextCursor === null ? null : `${PATH}?cursor=${nextCursor}`}
          first={before === null ? null : PATH}
        />
      </Card>
      {mayPost(user, PATH) && (
        <Card
          title="Create workspace"
          lead="Create one for each product, or for each of its environments. Workspaces never share data."
        >
          <form method="post" action={PATH} class="row" autocomplete="off">
            <CreationId />
            <NameAndLimit name={String(name)} writeLimit={String(writeLimit)} placeholder="Acme Analytics" />
            <button class="primary" type="submit">
              Create workspace
            </button>
          </form>
        </Card>
      )}
    </Page>,
    error === undefined ? 200 : 400,
  );
}

const COLUMNS: TableColumns<ListedWorkspace> = [
  {
    title: "Name",
    cell: (workspace) => (
      <a href={pathOf(workspace, workspace.stored === 0 ? "start" : "live")}>{truncate(workspace.name)}</a>
    ),
  },
  { title: "Last message", cell: ({ lastMessageAt }) => <Moment at={lastMessageAt} /> },
  { title: "Created", class: "optional", cell: ({ createdAt }) => <Moment at={createdAt} /> },
  { title: "Messages stored", class: "num", cell: ({ stored }) => formatNumber(stored) },
  { title: "Limit (per 10 s)", class: "num", cell: ({ writeLimit }) => formatNumber(writeLimit) },
];

/** The list of workspaces, and creating one. For administrators. */
import { Hono } from "hono";

import { DEFAULT_WRITE_LIMIT } from "../../core/limit/policy.ts";
import { type AppContext, type AppEnv, callOf, timed } from "../../edge/context.ts";
import { pageOf, readCursor } from "../../edge/cursor.ts";
import { operation } from "../../edge/request-log.ts";
import { createWorkspace } from "../../services/workspaces/workspace-changes.ts";
import { findWorkspace, listWithFigures } from "../../services/workspaces/workspaces.ts";
import { formErrorOf, newWorkspaceForm } from "../forms/admin-forms.ts";
import { readForm } from "../forms/read-form.ts";
import { notFoundPage } from "../layout/error-pages.tsx";
import { Page } from "../layout/page.tsx";
import { pathOf } from "../session/context.ts";
import { requireAdmin } from "../session/guards.ts";
import { Arrival, NOTHING_YET } from "../get-started/arrival.tsx";
import { StartView } from "../get-started/start-view.tsx";
import { type EnteredWorkspace, WorkspacesView } from "./workspaces-view.tsx";

const PATH = "/console/workspaces";
const LIST = ["console/workspaces"];
const PAGE_ROWS = 50;

export const workspacesPages = new Hono<AppEnv>()
  .use(requireAdmin)
  .get("/", operation("console_workspaces"), (c) => listPage(c, c.req.query("cursor")))
  .post("/", operation("console_create_workspace"), async (c) => {
    const fields = await readForm(c);
    const form = newWorkspaceForm.safeParse(fields);
    if (!form.success) {
      return listPage(c, undefined, { error: formErrorOf(form.error), entered: enteredIn(fields) });
    }
    const { creationId, ...settings } = form.data;
    const id = `ws_${creationId}`;
    const find = () => timed(c, "databaseMs", () => findWorkspace(c.env, id));
    const redirectToExisting = () => c.redirect(`${pathOf({ id }, "start")}?done=created`, 303);
    if ((await find()) !== null) return redirectToExisting();
    const created = await createWorkspace(callOf(c), { ...settings, id }, Date.now()).catch(async (error: unknown) => {
      // A double click sends the form twice, and both requests may have found nothing.
      if ((await find()) === null) throw error;
      return "exists" as const;
    });
    if (created === "exists") return redirectToExisting();
    const workspace = created === null ? null : await find();
    if (created === null || workspace === null) return notFoundPage(c, "This workspace was erased.");
    c.get("facts").workspace = id;
    c.set("workspace", { ...workspace, scopes: null });
    return c.html(
      <Page c={c} title="New workspace" tab="start">
        <StartView
          workspace={workspace}
          origin={new URL(c.req.url).origin}
          newKey={created.key}
          arrival={<Arrival workspace={workspace} arrivals={NOTHING_YET} now={Date.now()} />}
        />
      </Page>,
    );
  });

/** What the user entered, so that they can correct it. */
const enteredIn = ({ name, writeLimit }: Record<string, unknown>): EnteredWorkspace => ({
  name: typeof name === "string" ? name : "",
  writeLimit: typeof writeLimit === "string" ? writeLimit : "",
});

interface InvalidForm {
  error: string;
  entered: EnteredWorkspace;
}

async function listPage(c: AppContext, cursor: string | undefined, invalid?: InvalidForm): Promise<Response> {
  const before = readCursor(c, LIST, cursor);
  if (before instanceof Response) return c.redirect(PATH, 303);
  const list = await timed(c, "databaseMs", () => listWithFigures(c.env, PAGE_ROWS + 1, before));
  const { page, nextCursor } = pageOf(list.workspaces, PAGE_ROWS, LIST, ({ number }) => number);
  return c.html(
    <Page c={c} title="Workspaces · Behavior Ingest">
      <WorkspacesView
        workspaces={page}
        updatedAt={list.updatedAt}
        next={nextCursor === null ? null : `${PATH}?cursor=${nextCursor}`}
        first={before === null ? null : PATH}
        entered={invalid?.entered ?? { name: "", writeLimit: String(DEFAULT_WRITE_LIMIT) }}
        error={invalid?.error}
        now={Date.now()}
      />
    </Page>,
    invalid === undefined ? 200 : 400,
  );
}

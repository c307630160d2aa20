/** The workspaces of the deployment, for who has the admin token: their list, and how a new one begins. */
import { Hono } from "hono";

import { DEFAULT_WRITE_LIMIT } from "../../core/limit/policy.ts";
import { listWithFigures } from "../../services/workspaces/workspaces.ts";
import { findWorkspace } from "../../services/workspaces/workspaces.ts";
import { makeWorkspace } from "../../services/workspaces/workspace-changes.ts";
import { type AppContext, type AppEnv, timed } from "../../edge/context.ts";
import { pageOf, readCursor } from "../../edge/page.ts";
import { operation } from "../../edge/request-log.ts";
import { faultOf, workspaceForm } from "../forms/admin-forms.ts";
import { requireAdminSession } from "../session/guard.ts";
import { formOf } from "../forms/read-form.ts";
import { Page } from "../layout/page.tsx";
import { missingPage } from "../layout/error-pages.tsx";
import { Arrival, NOTHING_YET } from "../start/arrival.tsx";
import { StartView } from "../start/start-view.tsx";
import { asEntered, type Entered, WorkspacesView } from "./workspaces-view.tsx";

const PATH = "/console/workspaces";
const LIST = ["console/workspaces"];
const PAGE_ROWS = 50;

export const workspacesPages = new Hono<AppEnv>()
  .use(requireAdminSession)
  .get("/", operation("console_workspaces"), (c) => listPage(c, c.req.query("cursor")))
  .post("/", operation("console_create_workspace"), async (c) => {
    const body = await formOf(c);
    const form = workspaceForm.safeParse(body);
    if (!form.success) return listPage(c, undefined, { fault: faultOf(form.error), entered: asEntered(body) });
    const made = await makeWorkspace(c, form.data, Date.now());
    const workspace = await timed(c, "databaseMs", () => findWorkspace(c.env, made.workspace.id));
    if (workspace === null) return missingPage(c, "The new workspace was erased again.");
    c.get("facts").workspace = workspace.id;
    c.set("workspace", { ...workspace, scopes: null });
    return c.html(
      <Page c={c} title="New workspace" tab="start">
        <StartView
          workspace={workspace}
          origin={new URL(c.req.url).origin}
          newKey={made.key}
          arrival={<Arrival workspace={workspace} arrivals={NOTHING_YET} now={Date.now()} />}
        />
      </Page>,
    );
  });

interface Refused {
  fault: string;
  entered: Entered;
}

async function listPage(c: AppContext, cursor: string | undefined, refused?: Refused): Promise<Response> {
  const before = readCursor(c, LIST, cursor);
  if (before instanceof Response) return c.redirect(PATH, 303);
  const read = await timed(c, "databaseMs", () => listWithFigures(c.env, PAGE_ROWS + 1, before));
  const { page, nextCursor } = pageOf(read.workspaces, PAGE_ROWS, LIST, ({ number }) => number);
  return c.html(
    <Page c={c} title="Workspaces · Behavior Ingest">
      <WorkspacesView
        workspaces={page}
        judgedAt={read.judgedAt}
        next={nextCursor === null ? null : `${PATH}?cursor=${nextCursor}`}
        first={before === null ? null : PATH}
        entered={refused?.entered ?? { name: "", writeLimit: String(DEFAULT_WRITE_LIMIT) }}
        fault={refused?.fault}
        now={Date.now()}
      />
    </Page>,
    refused === undefined ? 200 : 400,
  );
}

/** The list of databases, and which ones take new workspaces. For administrators. */
import { Hono } from "hono";
import type { FC, PropsWithChildren } from "hono/jsx";

import { FILL_SHARE, UNPROCESSED_MS } from "../../core/alert-thresholds.ts";
import type { AppEnv } from "../../edge/app-context.ts";
import { operation } from "../../edge/request-log.ts";
import { databaseChange } from "../../edge/schemas/admin-requests.ts";
import { changeDatabase } from "../../services/database-placement.ts";
import { type DatabaseFigures, readDatabases } from "../../db/databases/database-capacity.ts";
import { listMoves } from "../../db/moves/move-records.ts";
import { Badge, Card, Heading, Moment } from "../components/elements.tsx";
import { formatBytes, formatNumber } from "../components/format.ts";
import { Table, type TableColumns } from "../components/table.tsx";
import { readForm } from "../forms/read-form.ts";
import { notFoundPage } from "../layout/error-pages.tsx";
import { Page } from "../layout/page.tsx";
import { pathOf } from "../paths.ts";
import { requireAdmin } from "../session/guards.ts";
import { actorOf } from "../session/session.ts";

const PATH = "/console/databases";

export const databasesPages = new Hono<AppEnv>()
  .use(requireAdmin)
  .get("/", operation("console_databases"), async (c) => {
    const [databases, moves] = await Promise.all([readDatabases(c.env), listMoves(c.env)]);
    return c.html(
      <Page c={c} title="Databases · Behavior Ingest">
        <Heading title="Databases" lead="A new workspace goes to the open database with the most room." />
        <Card>
          <Table caption="Databases" columns={COLUMNS} rows={databases} />
          <p class="note">“Full in” assumes the growth of the last week, without archiving.</p>
        </Card>
        {moves.length > 0 && (
          <Card
            title="Moves and restores"
            lead="You can start a move, and see its progress and that of a restore, in the workspace’s settings."
          >
            <Table caption="Moves and restores" columns={MOVE_COLUMNS} rows={moves} />
          </Card>
        )}
      </Page>,
    );
  })
  .post("/:name", operation("console_change_database"), async (c) => {
    const form = databaseChange.safeParse(await readForm(c));
    const actor = actorOf(c.get("session"));
    const changed = form.success && (await changeDatabase(c.env, c.req.param("name"), form.data.state, actor));
    return changed ? c.redirect(PATH, 303) : notFoundPage(c, "This database does not exist.");
  });

const TONES = { open: "good", draining: "none", full: "bad" } as const;

/** The service itself sets `full`: an administrator can only drain a full database. */
const StateForm: FC<{ database: DatabaseFigures }> = ({ database: { name, state } }) => (
  <form method="post" action={`${PATH}/${name}`}>
    <input type="hidden" name="state" value={state === "draining" ? "open" : "draining"} />
    <button type="submit" aria-label={`${state === "draining" ? "Open" : "Drain"} ${name}`}>
      {state === "draining" ? "Open" : "Drain"}
    </button>
  </form>
);

/** Marks a figure for which an alert fires. */
const Marked: FC<PropsWithChildren<{ if: boolean }>> = ({ if: isMarked, children }) =>
  isMarked ? <Badge tone="bad">{children}</Badge> : <>{children}</>;

const COLUMNS: TableColumns<DatabaseFigures> = [
  { title: "Name", cell: ({ name }) => name },
  { title: "State", cell: ({ state }) => <Badge tone={TONES[state]}>{state}</Badge> },
  { title: "Size", class: "num", cell: ({ bytes }) => formatBytes(bytes) },
  {
    title: "Share of limit",
    class: "num",
    cell: ({ share }) => <Marked if={share >= FILL_SHARE}>{formatNumber(100 * share)}%</Marked>,
  },
  {
    title: "Full in",
    class: "num",
    cell: ({ fullInDays }) =>
      fullInDays === null ? "–" : fullInDays > 3_650 ? "over 10 years" : `${formatNumber(fullInDays)} days`,
  },
  { title: "Workspaces", class: "num", cell: ({ workspaces }) => formatNumber(workspaces) },
  {
    title: "Oldest unprocessed message",
    class: "optional",
    cell: ({ oldestUnfoldedAt: at }) => (
      <Marked if={at !== null && Date.now() - at >= UNPROCESSED_MS}>
        <Moment at={at} />
      </Marked>
    ),
  },
  { title: "New workspaces", cell: (database) => <StateForm {...{ database }} /> },
];

const MOVE_COLUMNS: TableColumns<Awaited<ReturnType<typeof listMoves>>[number]> = [
  { title: "Workspace", cell: ({ workspace }) => <a href={pathOf(workspace, "settings")}>{workspace.id}</a> },
  { title: "Database", cell: ({ workspace }) => workspace.database },
  { title: "Task", cell: ({ to, backup }) => (backup === null ? `Move to ${to}` : `Restore into ${to}`) },
];

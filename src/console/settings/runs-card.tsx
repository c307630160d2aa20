/** The last runs of the recompute. Errors are only for administrators, because they show how the service works inside. */
import type { FC } from "hono/jsx";

import { formatDuration } from "../../core/ingest/explain-mapping.ts";
import type { RecomputeRun } from "../../db/recompute/runs.ts";
import type { OpenWorkspace } from "../../db/workspaces/find-workspace.ts";
import { Badge, Card, Empty, Fault, Moment, type Tone } from "../components/elements.tsx";
import { formatNumber } from "../components/format.ts";
import { Table, type TableColumns } from "../components/table.tsx";
import { pathOf } from "../paths.ts";

interface RunsCardProps {
  workspace: OpenWorkspace;
  runs: RecomputeRun[];
  isAdmin: boolean;
}

export const RunsCard: FC<RunsCardProps> = ({ workspace, runs, isAdmin }) => (
  <Card
    title="Recompute"
    lead="At least once an hour, a run processes new messages and scores accounts whose complete days (UTC) changed."
  >
    <Table
      caption="Recompute runs, newest first"
      columns={columnsFor(isAdmin)}
      rows={runs}
      empty={<Empty title="No runs yet">The first run starts within an hour of the first message.</Empty>}
    />
    {isAdmin && (
      <form method="post" action={pathOf(workspace, "settings", "recompute")} class="row settings-form">
        <button type="submit">Recompute now</button>
      </form>
    )}
    {isAdmin && workspace.importStartedAt !== null && (
      <form method="post" action={pathOf(workspace, "settings", "import", "end")} class="row settings-form">
        <button type="submit">End the import</button>
        <span class="note">
          The imported history is scored within minutes. A command that still runs goes on at the workspace’s own limit.
        </span>
      </form>
    )}
  </Card>
);

const columnsFor = (isAdmin: boolean): TableColumns<RecomputeRun> => [
  {
    title: "Started",
    cell: ({ startedAt, trigger }) => (
      <>
        <Moment at={startedAt} />
        {trigger === "admin" && <span class="muted"> manual</span>}
      </>
    ),
  },
  {
    title: "Status",
    cell: (run) => (
      <>
        <Badge tone={statusOf(run).tone}>{statusOf(run).text}</Badge>
        {isAdmin && <Fault text={run.fault} />}
      </>
    ),
  },
  {
    title: "Duration",
    class: "num",
    cell: ({ startedAt, finishedAt }) => (finishedAt === null ? "" : formatDuration(finishedAt - startedAt)),
  },
  { title: "Messages processed", class: "num", cell: ({ eventsFolded }) => formatNumber(eventsFolded) },
  { title: "Accounts scored", class: "num", cell: ({ accountsScored }) => formatNumber(accountsScored) },
  { title: "Items opened", class: "num", cell: ({ itemsOpened }) => formatNumber(itemsOpened) },
  { title: "Items resolved", class: "num", cell: ({ itemsResolved }) => formatNumber(itemsResolved) },
];

function statusOf({ finishedAt, complete, fault }: RecomputeRun): { tone: Tone; text: string } {
  if (fault !== null) return { tone: "bad", text: "failed" };
  if (complete) return { tone: "good", text: "complete" };
  return finishedAt === null ? { tone: "none", text: "unfinished" } : { tone: "watch", text: "incomplete" };
}

/**
 * The last runs of the recompute. A run covers all workspaces, so its figures and errors are only for administrators:
 * they would reveal other tenants' data.
 */
import type { FC } from "hono/jsx";

import type { OpenWorkspace, RecomputeRun } from "../../services/workspaces/workspaces.ts";
import { Badge, Card, Empty, Moment, Table, type Tone } from "../components/elements.tsx";
import { formatNumber } from "../components/format.ts";
import { truncate } from "../components/truncate.ts";
import { pathOf } from "../session/context.ts";

const MAX_FAULT_CHARACTERS = 500;

interface RunsCardProps {
  workspace: OpenWorkspace;
  runs: RecomputeRun[];
  isAdmin: boolean;
  now: number;
}

const COLUMNS = ["Started", "Status", { title: "Duration", class: "num" }] as const;
const FIGURE_COLUMNS = ["Events processed", "Accounts scored", "Items opened", "Items resolved"].map(
  (title) => ({ title, class: "num" }) as const,
);

export const RunsCard: FC<RunsCardProps> = ({ workspace, runs, isAdmin, now }) => (
  <Card title="Recompute" lead="Processes new events and updates scores every five minutes.">
    {runs.length === 0 ? (
      <Empty title="No runs yet">
        <p>Health and the inbox appear after the first run.</p>
      </Empty>
    ) : (
      <Table
        caption="Recompute runs, newest first"
        class="runs"
        columns={isAdmin ? [...COLUMNS, ...FIGURE_COLUMNS] : COLUMNS}
      >
        {runs.map((run) => (
          <tr>
            <th scope="row">
              <Moment at={run.startedAt} now={now} />
              {run.trigger === "admin" && <span class="muted"> manual</span>}
            </th>
            <td>
              <Badge tone={statusOf(run).tone}>{statusOf(run).text}</Badge>
              {isAdmin && run.fault !== null && <p class="note fault">{truncate(run.fault, MAX_FAULT_CHARACTERS)}</p>}
            </td>
            <td class="num">{run.finishedAt === null ? "" : formatDuration(run.finishedAt - run.startedAt)}</td>
            {isAdmin &&
              [run.eventsFolded, run.accountsScored, run.itemsOpened, run.itemsResolved].map((figure) => (
                <td class="num">{formatNumber(figure)}</td>
              ))}
          </tr>
        ))}
      </Table>
    )}
    {isAdmin && (
      <form method="post" action={pathOf(workspace, "settings", "recompute")} class="row settings-form">
        <button type="submit">Recompute all workspaces now</button>
        <span class="note">The figures cover all workspaces.</span>
      </form>
    )}
  </Card>
);

function statusOf({ finishedAt, complete, fault }: RecomputeRun): { tone: Tone; text: string } {
  if (fault !== null) return { tone: "bad", text: "partly failed" };
  if (complete) return { tone: "good", text: "complete" };
  return finishedAt === null ? { tone: "none", text: "unfinished" } : { tone: "watch", text: "incomplete" };
}

const SECOND_MS = 1_000;

/** `420 ms`, `3.1 s`. */
const formatDuration = (ms: number): string => (ms < SECOND_MS ? `${ms} ms` : `${(ms / SECOND_MS).toFixed(1)} s`);

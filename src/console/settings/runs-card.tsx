/**
 * The last runs of the recompute. A run is one for all workspaces: what it counted, and why it failed, tells of other
 * tenants too, and is shown to who has the admin token alone.
 */
import type { FC } from "hono/jsx";

import type { OpenWorkspace } from "../../services/workspaces/workspaces.ts";
import type { RecomputeRun } from "../../services/workspaces/workspaces.ts";
import { pathOf } from "../session/context.ts";
import { amount, Badge, Card, Empty, Moment, type Tone } from "../components/elements.tsx";
import { shortened } from "../components/truncate.ts";

const MAX_FAULT_CHARACTERS = 500;

interface RunsCardProps {
  workspace: OpenWorkspace;
  runs: RecomputeRun[];
  isAdmin: boolean;
  now: number;
}

export const RunsCard: FC<RunsCardProps> = ({ workspace, runs, isAdmin, now }) => (
  <Card title="Recompute" lead="Every five minutes it folds what came in, and judges the accounts that are due.">
    {runs.length === 0 ? (
      <Empty title="No run yet">
        <p>Health and the inbox come with the first one.</p>
      </Empty>
    ) : (
      <div class="table-scroll runs" role="region" aria-label="Runs of the recompute" tabindex={0}>
        <table>
          <caption class="visually-hidden">The last runs of the recompute, the newest first</caption>
          <thead>
            <tr>
              <th scope="col">Begun</th>
              <th scope="col">Outcome</th>
              <th scope="col" class="num">
                Took
              </th>
              {isAdmin && <FigureHeads />}
            </tr>
          </thead>
          <tbody>
            {runs.map((run) => (
              <tr>
                <th scope="row">
                  <Moment at={run.startedAt} now={now} />
                  {run.trigger === "admin" && <span class="muted"> by hand</span>}
                </th>
                <td>
                  <Outcome run={run} withFault={isAdmin} />
                </td>
                <td class="num">{run.finishedAt === null ? "" : duration(run.finishedAt - run.startedAt)}</td>
                {isAdmin && <Figures run={run} />}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    )}
    {isAdmin && (
      <form method="post" action={pathOf(workspace, "settings", "recompute")} class="row settings-form">
        <button type="submit">Recompute all workspaces now</button>
        <span class="note">The figures are those of all workspaces together.</span>
      </form>
    )}
  </Card>
);

const Outcome: FC<{ run: RecomputeRun; withFault: boolean }> = ({ run, withFault }) => {
  const { tone, text } = outcomeOf(run);
  return (
    <>
      <Badge tone={tone}>{text}</Badge>
      {withFault && run.fault !== null && <p class="note fault">{shortened(run.fault, MAX_FAULT_CHARACTERS)}</p>}
    </>
  );
};

function outcomeOf({ finishedAt, complete, fault }: RecomputeRun): { tone: Tone; text: string } {
  if (fault !== null) return { tone: "bad", text: "failed in part" };
  if (complete) return { tone: "good", text: "complete" };
  return finishedAt === null ? { tone: "none", text: "not finished" } : { tone: "watch", text: "more to do" };
}

const FigureHeads: FC = () => (
  <>
    {["Events folded", "Accounts judged", "Items opened", "Items resolved"].map((title) => (
      <th scope="col" class="num">
        {title}
      </th>
    ))}
  </>
);

const Figures: FC<{ run: RecomputeRun }> = ({ run }) => (
  <>
    {[run.eventsFolded, run.accountsScored, run.itemsOpened, run.itemsResolved].map((figure) => (
      <td class="num">{amount(figure)}</td>
    ))}
  </>
);

const SECOND_MS = 1_000;

/** `420 ms`, `3.1 s`. */
const duration = (ms: number): string => (ms < SECOND_MS ? `${ms} ms` : `${(ms / SECOND_MS).toFixed(1)} s`);

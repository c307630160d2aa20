/** Where the workspace's data is, and moving it. For administrators of several databases. */
import type { FC } from "hono/jsx";

import type { Move } from "../../services/moves/moves.ts";
import type { OpenWorkspace } from "../../services/workspaces/workspaces.ts";
import { Badge, Card, Fault, Moment } from "../components/elements.tsx";
import { formatNumber } from "../components/format.ts";
import { Select } from "../forms/fields.tsx";
import { pathOf } from "../session/context.ts";

interface DatabaseCardProps {
  workspace: OpenWorkspace;
  /** The names of all databases. */
  databases: string[];
  move: Move | null;
}

export const DatabaseCard: FC<DatabaseCardProps> = ({ workspace, databases, move }) => (
  <Card title="Database" lead={`The data of this workspace is in ${workspace.database}.`}>
    {move === null ? (
      <form method="post" action={pathOf(workspace, "settings", "move")} class="row settings-form">
        <Select
          label="Move to"
          name="database"
          selected={undefined}
          options={databases.filter((name) => name !== workspace.database).map((name) => [name, name] as const)}
        />
        <button type="submit">Move workspace</button>
        <span class="note">Senders and pages go on. At the end, writes are refused for some seconds.</span>
      </form>
    ) : (
      <MoveProgress {...{ workspace, move }} />
    )}
  </Card>
);

const MoveProgress: FC<{ workspace: OpenWorkspace; move: Move }> = ({ workspace, move }) => (
  <>
    <p>
      Move from {move.from} to {move.to}: <Badge tone={move.state === "failed" ? "bad" : "watch"}>{move.state}</Badge>{" "}
      {formatNumber(move.rowsCopied)} of {formatNumber(move.rowsTotal)} rows, started <Moment at={move.startedAt} />.
    </p>
    <Fault text={move.fault} />
    {(move.state === "copying" || move.state === "failed") && (
      <form method="post" action={pathOf(workspace, "settings", "move", "cancel")} class="row settings-form">
        <button type="submit">Cancel move</button>
      </form>
    )}
  </>
);

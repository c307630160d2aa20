/** How much the workspace stores where, how fast it grows, a download of its messages, and moving it to another database. */
import type { FC } from "hono/jsx";

import { DAY_MS } from "../../core/durations.ts";
import { isoDate } from "../../services/present/iso.ts";
import type { Move } from "../../db/moves/move-records.ts";
import type { Storage, Stored } from "../../db/archive/storage-sql.ts";
import type { OpenWorkspace } from "../../db/workspaces/find-workspace.ts";
import { Badge, Card, Fault, Moment, Stat } from "../components/elements.tsx";
import { formatBytes, formatNumber } from "../components/format.ts";
import { Field, Select } from "../forms/fields.tsx";
import { pathOf } from "../paths.ts";

export const StorageCard: FC<{ workspace: OpenWorkspace; storage: Storage }> = ({ workspace, storage }) => {
  const { hot, archived, eventsADay } = storage;
  const today = isoDate(Math.floor(Date.now() / DAY_MS));
  const limit = workspace.storageLimitBytes;
  const bytesADay = hot.messages === 0 ? 0 : (eventsADay * hot.bytes) / hot.messages;
  return (
    <Card title="Storage">
      <dl class="stats">
        <Stat
          label="In the database"
          value={formatBytes(hot.bytes)}
          note={`${messagesIn(hot)}${limit === null ? "" : `; the limit is ${formatBytes(limit)}`}`}
        />
        <Stat label="In the archive" value={formatBytes(archived.bytes)} note={messagesIn(archived)} />
        <Stat
          label="Growth"
          value={`${formatBytes(bytesADay)} a day`}
          note={`${formatNumber(eventsADay)} events a day in the last week`}
        />
      </dl>
      <form method="get" action={pathOf(workspace, "settings", "export")} class="row settings-form">
        <Field label="From" name="from" type="date" required value={today} max={today} />
        <Field label="To" name="to" type="date" required value={today} max={today} />
        <button type="submit">Download messages</button>
        <span class="note">The file has a JSON line for each message received on these UTC days, archived or not.</span>
      </form>
    </Card>
  );
};

const messagesIn = ({ messages }: Stored): string =>
  messages === 1 ? "1 message" : `${formatNumber(messages)} messages`;

interface DatabaseCardProps {
  workspace: OpenWorkspace;
  /** The names of the other databases. */
  moveTargets: string[];
  move: Move | null;
}

/** For administrators of several databases. */
export const DatabaseCard: FC<DatabaseCardProps> = ({ workspace, moveTargets, move }) => (
  <Card title="Database" lead={`The data of this workspace is in ${workspace.database}.`}>
    {move === null ? (
      <form method="post" action={pathOf(workspace, "settings", "move")} class="row settings-form">
        <Select
          label="Move to"
          name="database"
          selected={undefined}
          options={moveTargets.map((name) => [name, name] as const)}
        />
        <button type="submit">Move workspace</button>
        <span class="note">Senders and the console keep working. Writes fail for a few seconds at the end.</span>
      </form>
    ) : (
      <MoveProgress {...{ workspace, move }} />
    )}
  </Card>
);

/** What a restore does in the states of a move. */
const RESTORE_STATES: Partial<Record<Move["state"], string>> = {
  final: "removing what was erased since",
  erasing: "in use, until every database has closed older rows",
  cancelling: "being cancelled",
};

const MoveProgress: FC<{ workspace: OpenWorkspace; move: Move }> = ({ workspace, move }) => (
  <>
    <p>
      {move.backup === null
        ? `Move from ${move.from} to ${move.to}`
        : `Restore of the backup ${move.backup} into ${move.to}`}
      {": "}
      <Badge tone={move.state === "failed" ? "bad" : "watch"}>
        {(move.backup !== null && RESTORE_STATES[move.state]) || move.state}
      </Badge>{" "}
      {formatNumber(move.rowsCopied)} of {formatNumber(move.rowsTotal)} rows, started <Moment at={move.startedAt} />.
    </p>
    <Fault text={move.fault} />
    {(move.state === "copying" || move.state === "failed") && (
      <form method="post" action={pathOf(workspace, "settings", "move", "cancel")} class="row settings-form">
        <button type="submit">Cancel {move.backup === null ? "move" : "restore"}</button>
      </form>
    )}
  </>
);

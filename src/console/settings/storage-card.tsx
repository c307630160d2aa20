/** How much the workspace stores where, how fast it grows, and a download of its messages. */
import type { FC } from "hono/jsx";

import type { Storage, Stored } from "../../services/workspaces/storage.ts";
import type { OpenWorkspace } from "../../services/workspaces/workspaces.ts";
import { Card, Stat } from "../components/elements.tsx";
import { formatBytes, formatNumber } from "../components/format.ts";
import { Field } from "../forms/fields.tsx";
import { pathOf } from "../session/context.ts";

interface StorageCardProps {
  workspace: OpenWorkspace;
  storage: Storage;
  /** As in `2026-11-23`. */
  today: string;
}

export const StorageCard: FC<StorageCardProps> = ({ workspace, storage: { hot, archived, eventsADay }, today }) => {
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
        <span class="note">Messages received on these UTC days, from both places: a line of JSON for each.</span>
      </form>
    </Card>
  );
};

const messagesIn = ({ messages }: Stored): string =>
  messages === 1 ? "1 message" : `${formatNumber(messages)} messages`;

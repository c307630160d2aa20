/** The newest changes of the workspace by administration. */
import type { FC } from "hono/jsx";

import type { AuditAction } from "../../core/audit.ts";
import { AUDIT_RETENTION_DAYS, type AuditRow } from "../../db/audit/audit-log.ts";
import type { OpenWorkspace } from "../../db/workspaces/find-workspace.ts";
import { Card, Empty, Moment } from "../components/elements.tsx";
import { Table, type TableColumns } from "../components/table.tsx";
import { truncate } from "../components/truncate.ts";

const ACTION_TEXTS: Record<AuditAction, string> = {
  workspace_created: "Workspace created",
  workspace_changed: "Workspace changed",
  workspace_erased: "Workspace erased",
  key_created: "Key created",
  key_revoked: "Key revoked",
  agreement_accepted: "Agreement accepted",
  agreement_withdrawn: "Agreement withdrawn",
  user_erased: "User erased",
  move_started: "Move started",
  move_cancelled: "Move cancelled",
  rebuild_requested: "Rebuild requested",
  recompute_requested: "Recompute requested",
  archive_requested: "Archive requested",
  database_changed: "Database changed",
  reconcile_requested: "Reconciliation requested",
};

interface AuditCardProps {
  workspace: OpenWorkspace;
  audit: AuditRow[];
  isAdmin: boolean;
}

export const AuditCard: FC<AuditCardProps> = ({ workspace, audit, isAdmin }) => (
  <Card
    title="Audit log"
    lead={`The newest changes by administration. They are kept for ${AUDIT_RETENTION_DAYS} days.`}
  >
    <Table
      caption="Changes by administration, newest first"
      columns={COLUMNS}
      rows={audit}
      empty={<Empty title="No changes">Nothing was changed in the last {AUDIT_RETENTION_DAYS} days.</Empty>}
    />
    {isAdmin && <p class="note">GET /admin/audit?workspace={workspace.id} lists all of them.</p>}
  </Card>
);

const COLUMNS: TableColumns<AuditRow> = [
  { title: "When", cell: ({ at }) => <Moment at={at} /> },
  { title: "Who", cell: ({ actor }) => actor },
  { title: "What", cell: ({ action }) => ACTION_TEXTS[action] },
  { title: "Details", class: "optional", cell: ({ details }) => truncate(describe(details)) },
];

/** Writes details as `keyId: key_…, scopes: ["read"]`. */
const describe = (details: AuditRow["details"]): string =>
  Object.entries(details)
    .map(([name, value]) => `${name}: ${typeof value === "string" ? value : JSON.stringify(value)}`)
    .join(", ");

/** The audit log: docs/wire/admin.md §9.2. For administrators. */
import { Hono } from "hono";

import type { AuditAction } from "../../core/audit.ts";
import { type AuditRow, type ListedAuditRow, listAudit } from "../../db/audit/audit-log.ts";
import type { AppEnv } from "../../edge/app-context.ts";
import { pageOf, readCursor } from "../../edge/cursor.ts";
import { operation } from "../../edge/request-log.ts";
import { Card, Empty, Heading, Moment, orNone, Pager } from "../components/elements.tsx";
import { Table, type TableColumns } from "../components/table.tsx";
import { truncate } from "../components/truncate.ts";
import { Page } from "../layout/page.tsx";
import { requireAdmin } from "../session/guards.ts";

const PATH = "/console/audit";
const PAGE_ROWS = 100;
const MAX_DETAILS_CHARACTERS = 300;

export const auditPages = new Hono<AppEnv>().use(requireAdmin).get("/", operation("console_audit"), async (c) => {
  const workspace = c.req.query("workspace");
  const list = ["console/audit", workspace ?? ""];
  const before = readCursor(list, c.req.query("cursor"));
  const all = pathTo({ workspace });
  if (before === undefined) return c.redirect(all, 303);
  const rows = await listAudit(c.env, { workspace, limit: PAGE_ROWS + 1, before });
  const { page, nextCursor } = pageOf(rows, PAGE_ROWS, list, ({ number }) => number);
  return c.html(
    <Page c={c} title="Audit log · Behavior Ingest">
      <Heading
        title="Audit log"
        lead={workspace === undefined ? "Who changed what by administration." : `Changes of ${truncate(workspace)}`}
      >
        {workspace !== undefined && <a href={PATH}>All changes</a>}
      </Heading>
      <Card>
        <Table
          caption="Changes, newest first"
          class="narrow audit"
          columns={COLUMNS}
          rows={page}
          empty={<Empty title="No changes">Changes are kept for 400 days.</Empty>}
        />
        <Pager
          next={nextCursor === null ? null : pathTo({ workspace, cursor: nextCursor })}
          first={before === null ? null : all}
        />
      </Card>
    </Page>,
  );
});

const pathTo = (query: { workspace: string | undefined; cursor?: string }): string => {
  const given = Object.entries(query).filter((entry): entry is [string, string] => entry[1] !== undefined);
  return given.length === 0 ? PATH : `${PATH}?${new URLSearchParams(given).toString()}`;
};

const sentenceOf = (action: AuditAction): string =>
  `${action.charAt(0).toUpperCase()}${action.slice(1)}`.replaceAll("_", " ");

/** Writes details as `writeLimit: {"from":100,"to":200}, …`. */
const textOf = (details: AuditRow["details"]): string =>
  Object.entries(details)
    .map(([name, value]) => `${name}: ${typeof value === "string" ? value : JSON.stringify(value)}`)
    .join(", ");

const COLUMNS: TableColumns<ListedAuditRow> = [
  { title: "Time", cell: ({ at }) => <Moment at={at} /> },
  { title: "Change", cell: ({ action }) => sentenceOf(action) },
  {
    title: "Workspace",
    cell: ({ workspace }) => orNone(workspace && <a href={pathTo({ workspace })}>{workspace}</a>),
  },
  { title: "By", cell: ({ actor, email }) => (email === null ? actor : truncate(email)) },
  { title: "Details", cell: ({ details }) => orNone(truncate(textOf(details), MAX_DETAILS_CHARACTERS) || null) },
];

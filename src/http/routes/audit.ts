/** Lists the audit log: docs/wire/admin.md §9.2. */
import * as z from "zod";

import { AUDIT_ACTIONS } from "../../core/audit.ts";
import { AUDIT_RETENTION_DAYS, listAudit } from "../../db/audit/audit-log.ts";
import { invalidCursor, pageOf, readCursor } from "../../edge/cursor.ts";
import { iso } from "../../services/present/iso.ts";
import { pageQuery } from "../../edge/schemas/list-queries.ts";
import { response } from "../../edge/named-schemas.ts";
import { moment, nextCursor, object, ok, text } from "../../edge/responses/fields.ts";
import { route } from "../declare-route.ts";
import { admin } from "./workspaces.ts";

const entry = response(
  "AuditEntry",
  z.strictObject({
    at: moment,
    workspace: text.nullable().describe("The workspace's id; `null` for a change of the deployment."),
    actor: text.describe(
      "`admin`, `admin:` with a token's id, `key:` with a key's, or `console:` with `admin` or the id of a token, a key or a person.",
    ),
    action: z.enum(AUDIT_ACTIONS),
    details: object.describe("What was changed, without secrets and personal data."),
  }),
);

export const auditRoute = route(
  {
    ...admin,
    method: "get",
    paths: { "/admin/audit": "listAudit" },
    summary: "List changes by administration, newest first",
    description: `Changes of the last ${AUDIT_RETENTION_DAYS} days, also those of erased workspaces.`,
    query: pageQuery.extend({
      workspace: z.string().min(1).optional().meta({ description: "Only changes of the workspace with this id." }),
    }),
    response: {
      status: 200,
      description: "A page of changes.",
      schema: response("AuditResponse", z.strictObject({ ok, audit: z.array(entry), nextCursor })),
    },
  },
  async (c) => {
    const { workspace, limit, cursor } = c.req.valid("query");
    const list = ["admin/audit", workspace ?? ""];
    const before = readCursor(list, cursor);
    if (before === undefined) return invalidCursor(c);
    const rows = await listAudit(c.env, { workspace, limit: limit + 1, before });
    const { page, nextCursor: next } = pageOf(rows, limit, list, ({ number }) => number);
    const audit = page.map(({ number: _number, email: _email, at, ...rest }) => ({ ...rest, at: iso(at) }));
    return c.json({ ok: true, audit, nextCursor: next }, 200);
  },
);

/** Repairs what a restore of databases has left inconsistent: docs/operations.md, Backup and restore. */
import * as z from "zod";

import { timed } from "../../edge/context.ts";
import { reconciliation } from "../../edge/schemas/admin-requests.ts";
import { FINDINGS, isRepair } from "../../core/reconcile/findings.ts";
import { reconcile } from "../../services/reconcile/reconcile.ts";
import { request, response } from "../named-schemas.ts";
import { count, ok, text } from "../responses/fields.ts";
import { route } from "../route.ts";
import { admin } from "./workspaces.ts";

const finding = z.strictObject({
  workspace: text.describe("The workspace's id."),
  number: count,
  kind: text,
  message: text,
  repaired: z.boolean().describe("False when people have to decide, or a run is in the way."),
});

export const reconcileRoute = route(
  {
    ...admin,
    method: "post",
    paths: { "/admin/reconcile": "reconcile" },
    summary: "Repair a page of workspaces after a restore",
    description:
      "`npm run databases -- reconcile` calls it page by page. It may be repeated, and changes nothing in a healthy deployment.",
    body: { schema: request("ReconcileRequest", reconciliation), example: { before: null } },
    response: {
      status: 200,
      description: "What was found. `next` continues, and is `null` on the last page.",
      schema: response("ReconcileResponse", z.strictObject({ ok, findings: z.array(finding), next: count.nullable() })),
    },
  },
  async (c) => {
    const { before } = c.req.valid("json");
    const { findings, next } = await timed(c, "databaseMs", () => reconcile(c.env, Date.now(), before));
    const told = findings.map((each) => ({ ...each, message: FINDINGS[each.kind], repaired: isRepair(each.kind) }));
    return c.json({ ok: true, findings: told, next }, 200);
  },
);

/** Repairs the inconsistencies that a restore of databases has left: docs/restore.md. */
import * as z from "zod";

import { isRepair } from "../../core/reconcile/plan-repairs.ts";
import { reconciliation } from "../../edge/schemas/admin-requests.ts";
import { audited } from "../../services/audited.ts";
import { reconcile } from "../../services/reconcile/reconcile-databases.ts";
import { request, response } from "../../edge/named-schemas.ts";
import { count, ok, text } from "../../edge/responses/fields.ts";
import { route } from "../declare-route.ts";
import { admin } from "./workspaces.ts";

const finding = z.strictObject({
  workspace: text.describe("The workspace's id."),
  finding: text.describe("docs/restore.md explains each."),
  detail: z.string().nullable().describe("Ids, files or databases that the finding is about."),
  repaired: z.boolean().describe("False if a person must decide, or if another run must finish first."),
});

export const reconcileRoute = route(
  {
    ...admin,
    method: "post",
    paths: { "/admin/reconcile": "reconcile" },
    summary: "Repair a page of workspaces after a restore",
    description:
      "May be repeated, and changes nothing in a healthy deployment. `npm run databases -- reconcile` reads all pages.",
    body: {
      schema: request("ReconcileRequest", reconciliation),
      example: { before: null, eraseCopies: false, startEmpty: null },
    },
    response: {
      status: 200,
      description: "What was found. `next` is the `before` of the next page, `null` on the last one.",
      schema: response("ReconcileResponse", z.strictObject({ ok, findings: z.array(finding), next: count.nullable() })),
    },
  },
  async (c) => {
    const { before, ...decisions } = c.req.valid("json");
    const entry = {
      workspace: null,
      actor: c.get("actor"),
      action: "reconcile_requested",
      details: decisions,
    } as const;
    const { findings, next } = await audited(
      c.env,
      entry,
      () => reconcile(c.env, before, decisions, Date.now()),
      // A finding's detail may be the names of files.
      (page) => ({ findings: page.findings.map((found) => ({ workspace: found.workspace, finding: found.finding })) }),
    );
    return c.json(
      { ok: true, findings: findings.map((each) => ({ ...each, repaired: isRepair(each.finding) })), next },
      200,
    );
  },
);

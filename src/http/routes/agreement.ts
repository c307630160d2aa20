/** Manages the data processing agreement: docs/wire/admin.md §9. */
import { iso } from "../../services/present/iso.ts";
import { acceptance } from "../../edge/schemas/admin-requests.ts";
import { acceptAgreement, withdrawAgreement } from "../../services/agreement.ts";
import { request } from "../../edge/named-schemas.ts";
import { agreement } from "../../edge/responses/workspace.ts";
import { route } from "../declare-route.ts";
import { noSuchWorkspace, onWorkspace, withWorkspace } from "./workspaces.ts";

export const agreementRoutes = [
  route(
    {
      ...onWorkspace,
      method: "put",
      paths: { "/admin/workspaces/{id}/dpa": "acceptAgreement" },
      summary: "Record the acceptance of the data processing agreement",
      body: {
        schema: request("AcceptanceRequest", acceptance),
        example: { acceptedBy: "Ann Lee", version: "2026-01" },
      },
      response: { status: 200, description: "The acceptance.", schema: agreement },
    },
    withWorkspace(async (c, workspace) => {
      const accepted = await acceptAgreement(c.env, workspace, c.req.valid("json"), Date.now(), c.get("actor"));
      if (accepted === null) return noSuchWorkspace(c);
      return c.json({ ok: true, dpa: { ...accepted, acceptedAt: iso(accepted.acceptedAt) } }, 200);
    }),
  ),
  route(
    {
      ...onWorkspace,
      method: "delete",
      paths: { "/admin/workspaces/{id}/dpa": "withdrawAgreement" },
      summary: "Withdraw the agreement",
      description: "Erases all identity traits of the workspace.",
      response: { status: 200, description: "The agreement is withdrawn.", schema: agreement },
    },
    withWorkspace(async (c, workspace) => {
      await withdrawAgreement(c.env, workspace, Date.now(), c.get("actor"));
      return c.json({ ok: true, dpa: null }, 200);
    }),
  ),
];

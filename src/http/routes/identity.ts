/** Attaches identity traits, the only operation that accepts personal data: docs/wire/identity.md §6. */
import { createMiddleware } from "hono/factory";
import * as z from "zod";

import { IDENTITY_KEYS, identityRequest } from "../../core/identity/identity-request.ts";
import type { AppContext, AppEnv } from "../../edge/app-context.ts";
import { errorResponse, toIssues, unauthorized } from "../../edge/errors.ts";
import { attachIdentity } from "../../services/attach-identity.ts";
import { hasAgreement } from "../../db/identity/agreement.ts";
import { writeCallOf, writeRefused } from "../middleware/write-request.ts";
import { request, response } from "../../edge/named-schemas.ts";
import { accountRef, ok, userRef } from "../../edge/responses/fields.ts";
import { route } from "../declare-route.ts";

const attached = response(
  "IdentityResponse",
  z.strictObject({
    ok,
    account: accountRef.nullable(),
    user: userRef.nullable(),
    attached: z.array(z.enum(IDENTITY_KEYS)).describe("Traits that were set. Removed ones are not listed."),
  }),
);

const dpaRequired = (c: AppContext) =>
  errorResponse(
    c,
    "dpa_required",
    "The workspace has not accepted the data processing agreement. Ask an administrator to record it.",
  );

/** Refuses workspaces without the agreement, before any of the body is read. */
const requireAgreement = createMiddleware<AppEnv>(async (c, next) => {
  const isAgreed = await hasAgreement(c.env, c.get("grant").workspace);
  if (isAgreed === true) return next();
  return isAgreed === null ? unauthorized(c) : dpaRequired(c);
});

export const identityRoute = route(
  {
    method: "post",
    paths: { "/api/v1/identity": "attachIdentity", "/api/identity": "attachIdentityUnversioned" },
    tag: "Identity",
    summary: "Attach identity traits",
    description:
      "The only operation that accepts personal data. The workspace must have accepted the data processing agreement. `company` needs `accountId`; `name` and `email` need `userId`. Send at least one trait: `null` removes it, an absent trait stays unchanged.",
    access: "identity",
    use: [requireAgreement],
    body: {
      schema: request("IdentityRequest", identityRequest),
      example: {
        accountId: "acme",
        userId: "u1",
        traits: { company: "Acme Corp", name: "Jo Doe", email: "jo@acme.example" },
      },
      validatedBy: "service",
    },
    response: { status: 200, description: "The traits are attached.", schema: attached },
    limited: true,
    errors: ["dpa_required", "not_found", "rate_limited", "storage_full"],
  },
  async (c) => {
    const result = await attachIdentity(writeCallOf(c), c.req.valid("json"), Date.now());
    switch (result.outcome) {
      case "attached": {
        const { account, user, traits } = result;
        const set = IDENTITY_KEYS.filter((key) => traits[key] != null);
        return c.json({ ok: true, account, user, attached: set }, 200);
      }
      case "invalid":
        return errorResponse(c, "invalid_request", "Invalid body. See issues.", toIssues(result.issues));
      case "no_such_account":
        return errorResponse(c, "not_found", "No such account.");
      case "no_such_user":
        return errorResponse(c, "not_found", "No such user.");
      case "dpa_required":
        return dpaRequired(c);
      case "unauthorized":
      case "rate_limited":
      case "storage_full":
        return writeRefused(c, result);
    }
  },
);

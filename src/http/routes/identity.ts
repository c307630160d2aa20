/** Attaching identity traits: the one operation that takes personal data, and logs none of it. */
import { createMiddleware } from "hono/factory";

import { IDENTITY_KEYS, identityRequest } from "../../core/identity/identity-request.ts";
import { hasAgreement } from "../../services/identity.ts";
import { DatabaseUnavailable } from "../../services/database.ts";
import { attachTraits } from "../../services/identity.ts";
import { answerJson } from "../../edge/answer.ts";
import { type AppContext, type AppEnv, timed } from "../../edge/context.ts";
import { failure } from "../../edge/errors.ts";
import { refuseGone } from "./ingest.ts";
import { toIssues } from "../../edge/issues.ts";
import { parseJson } from "../middleware/json-body.ts";
import { consume, refund } from "../middleware/write-limit.ts";

const dpaRequired = (c: AppContext): Response =>
  failure(c, "dpa_required", "The data processing agreement has to be accepted first.");

/** Lets a request pass whose workspace has accepted the agreement. Of any other not a byte of the body is read. */
export const requireAgreement = createMiddleware<AppEnv>(async (c, next) => {
  const { workspace } = c.get("grant");
  if (!(await timed(c, "databaseMs", () => hasAgreement(c.env, workspace)))) return dpaRequired(c);
  await next();
});

/** Behind `requireKey`, `requireAgreement` and `jsonOnly`. What is no JSON is not charged, so it is not for a validator. */
export async function attachIdentity(c: AppContext): Promise<Response> {
  const grant = c.get("grant");
  const read = parseJson(c, await c.req.text());
  if (read instanceof Response) return read;
  const charges = await consume(c, grant, 1);
  if (charges instanceof Response) return charges;

  const parsed = identityRequest.safeParse(read.body);
  if (!parsed.success) {
    return failure(c, "invalid_request", "The body is not valid.", toIssues(parsed.error.issues));
  }
  const request = parsed.data;
  try {
    const told = await timed(c, "databaseMs", () => attachTraits(c.env, grant.workspace, request, Date.now()));
    switch (told.outcome) {
      case "attached": {
        const attached = IDENTITY_KEYS.filter((key) => request.traits[key] != null);
        return answerJson(c, { ok: true, account: told.account, user: told.user, attached });
      }
      case "no_such_account":
        return failure(c, "not_found", "There is no such account.");
      case "no_such_user":
        return failure(c, "not_found", "There is no such user.");
      case "dpa_required":
        return dpaRequired(c);
      case "workspace_gone":
        return await refuseGone(c, grant);
    }
  } catch (error) {
    if (error instanceof DatabaseUnavailable && error.notApplied) await refund(c, grant, charges);
    throw error;
  }
}

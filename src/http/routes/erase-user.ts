import { readIdentifier } from "../../core/ingest/identifiers.ts";
import { eraseUser } from "../../services/users.ts";
import { answerJson } from "../../edge/answer.ts";
import { type AppContext, timed } from "../../edge/context.ts";
import { forgetKey } from "../middleware/credentials.ts";
import { failure, unauthorized } from "../../edge/errors.ts";

/**
 * Erases a user. The answer is the same whether there was one: it must not tell who was ever known.
 * Behind `requireKey`.
 * @param externalId as it stands in the path
 */
export async function answerErasure(c: AppContext, externalId: string): Promise<Response> {
  const grant = c.get("grant");
  const id = readIdentifier(externalId);
  // What can't be an id was never anybody's.
  if (!id.ok || id.value === null) return answerJson(c, { ok: true });
  const { value } = id;
  switch (await timed(c, "databaseMs", () => eraseUser(c.env, grant, value))) {
    case "erased":
      return answerJson(c, { ok: true });
    case "under_way":
      return failure(c, "unavailable", "The erasure is under way. Send the same request again to go on with it.");
    case "key_gone":
      forgetKey(grant.keyId);
      return unauthorized(c);
  }
}

/** Answers questions and queries for the API and for agents: docs/wire/ask.md §15, docs/wire/queries.md §16. */
import type * as z from "zod";

import { usesWindow } from "../../core/ask/query/canonical.ts";
import type { Query } from "../../core/ask/query/model.ts";
import type { KeyGrant } from "../../db/workspaces/api-keys.ts";
import { answerQuery } from "../../services/ask/answer-query.ts";
import { answerQuestion } from "../../services/ask/answer-question.ts";
import { failure } from "../errors.ts";
import { presentAnswer } from "../responses/answer.ts";
import { type askRequest, dayIn } from "../schemas/ask-request.ts";

export async function ask(
  env: Env,
  { workspace }: KeyGrant,
  { question: text, accountId, userId, feature, previous, timezone = "UTC" }: z.output<typeof askRequest>,
) {
  const now = Date.now();
  const hints = {
    ...(accountId != null && { account: accountId }),
    ...(userId != null && { user: userId }),
    ...(feature != null && { feature }),
    ...(previous && { previous }),
  };
  const answered = await answerQuestion(env, workspace, { text, hints, now, today: dayIn(timezone, now) });
  if ("issues" in answered) return failure("invalid_request", "Invalid request. See issues.", answered.issues);
  return presentAnswer(answered);
}

export async function query(env: Env, { workspace }: KeyGrant, asked: Query) {
  const answered = await answerQuery(env, workspace, asked, Date.now());
  if ("issues" in answered) return failure("invalid_request", "Invalid query. See issues.", answered.issues);
  if ("refusal" in answered.written && answered.written.refusal.reason === "too_many_rows") {
    const hasOwnWindow = asked.where.some(({ window }) => window !== undefined);
    const path = !hasOwnWindow && (usesWindow(asked) || asked.show === "summary") ? "window" : "where";
    const message = `${path === "window" ? "needs to be shorter" : "needs shorter windows, or named accounts or users"}: the query reads too many rows`;
    return failure("invalid_request", "Query too large. See issues.", [{ path, message }]);
  }
  return presentAnswer(answered);
}

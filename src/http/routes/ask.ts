/** Asking a question, which is answered from what the workspace knows or not at all. */
import { Hono } from "hono";

import { MAX_ASK_BYTES } from "../../config.ts";
import { answerQuestion } from "../../services/ask/answer-question.ts";
import { answerJson } from "../../edge/answer.ts";
import { askRequest, dayIn } from "../../edge/schemas/ask-request.ts";
import { type AppEnv, timed } from "../../edge/context.ts";
import { requireKey } from "../middleware/credentials.ts";
import { jsonBody, jsonUpTo } from "../middleware/json-body.ts";
import { presentAnswer } from "../present/answer.ts";
import { operation } from "../../edge/request-log.ts";

export const ask = new Hono<AppEnv>().post(
  "/ask",
  operation("ask"),
  requireKey("ask"),
  jsonUpTo(MAX_ASK_BYTES),
  jsonBody(askRequest),
  async (c) => {
    const { question: text, accountId = null, userId = null, feature = null, timezone = "UTC" } = c.req.valid("json");
    const now = Date.now();
    const hints = { account: accountId, user: userId, feature };
    const answered = await timed(c, "databaseMs", () =>
      answerQuestion(c.env, c.get("grant").workspace, { text, hints, now, today: dayIn(timezone, now) }),
    );
    return answerJson(c, presentAnswer(answered));
  },
);

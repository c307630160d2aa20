/** Answers queries, and lists the dimensions that they may use: docs/queries.md. */
import type * as z from "zod";

import { MAX_ASK_BYTES } from "../../config.ts";
import { querySchema } from "../../core/ask/query/model.ts";
import { failed } from "../../edge/errors.ts";
import { request } from "../../edge/named-schemas.ts";
import { query } from "../../edge/operations/answers.ts";
import { answerBody } from "../../edge/responses/answer.ts";
import { dimensions } from "../../edge/responses/dimensions.ts";
import { listDimensions } from "../../services/ask/answer-query.ts";
import { route } from "../declare-route.ts";

const EXAMPLE: z.input<typeof querySchema> = {
  find: "accounts",
  where: [{ dimension: "plan", is: "Business" }],
  show: "count",
};

const common = { tag: "Questions", access: "ask" } as const;

export const queryRoutes = [
  route(
    {
      ...common,
      method: "post",
      paths: { "/api/v1/query": "query" },
      summary: "Ask a structured query",
      description:
        "Returns the same answers as a question, from a query instead of English. At most 4 KB. Doesn't count toward the write limit.",
      body: { schema: request("Query", querySchema), example: EXAMPLE, maxBytes: MAX_ASK_BYTES },
      response: { status: 200, description: "The answer, or the reason for not answering.", schema: answerBody },
    },
    async (c) => {
      const answer = await query(c.env, c.get("grant"), c.req.valid("json"));
      return answer.ok ? c.json(answer, 200) : failed(c, answer);
    },
  ),
  route(
    {
      ...common,
      method: "get",
      paths: { "/api/v1/dimensions": "listDimensions" },
      summary: "List what queries can be about",
      response: { status: 200, description: "The built-in dimensions, then traits by name.", schema: dimensions },
    },
    async (c) => {
      const listed = await listDimensions(c.env, c.get("grant").workspace);
      return c.json({ ok: true, dimensions: listed }, 200);
    },
  ),
];

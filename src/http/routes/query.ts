/** Answers queries, and lists the dimensions that they may use: docs/queries.md. */
import * as z from "zod";

import { MAX_ASK_BYTES } from "../../config.ts";
import { usesWindow } from "../../core/ask/query/canonical.ts";
import { DIMENSION_TYPES } from "../../core/ask/query/dimensions.ts";
import { FINDS, querySchema } from "../../core/ask/query/model.ts";
import { errorResponse } from "../../edge/errors.ts";
import { answerQuery, listDimensions } from "../../services/ask/answer-query.ts";
import { request, response } from "../named-schemas.ts";
import { answerBody, presentAnswer } from "../responses/answer.ts";
import { ok, text } from "../responses/fields.ts";
import { route } from "../declare-route.ts";

const dimensions = response(
  "DimensionsResponse",
  z.strictObject({
    ok,
    dimensions: z.array(
      z.strictObject({
        name: text,
        type: z.enum(DIMENSION_TYPES),
        of: z.array(z.enum(FINDS)).describe("The kinds of records that it describes."),
        values: z.array(z.string()).optional().describe("All codes, or the workspace's values (at most 200)."),
        isActivity: z.literal(true).optional().describe("True if it is counted in a window."),
        hasHistory: z.literal(true).optional().describe("True if its past values are known, by day."),
      }),
    ),
  }),
);

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
      const asked = c.req.valid("json");
      const answered = await answerQuery(c.env, c.get("grant").workspace, asked, Date.now());
      if ("issues" in answered)
        return errorResponse(c, "invalid_request", "Invalid query. See issues.", answered.issues);
      if ("refusal" in answered.written && answered.written.refusal.reason === "too_many_rows") {
        const hasOwnWindow = asked.where.some(({ window }) => window !== undefined);
        const path = !hasOwnWindow && (usesWindow(asked) || asked.show === "summary") ? "window" : "where";
        const message = `${path === "window" ? "needs to be shorter" : "needs shorter windows, or named accounts or users"}: the query reads too many rows`;
        return errorResponse(c, "invalid_request", "Query too large. See issues.", [{ path, message }]);
      }
      return c.json(presentAnswer(answered), 200);
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

/** Fits answers into a result: a list with too many rows is asked again with a lower limit, so its text fits its rows. */
import * as z from "zod";

import { type Query, querySchema } from "../core/ask/query/model.ts";
import type { Failure } from "../edge/errors.ts";
import type { ResponseBody } from "../edge/named-schemas.ts";
import { type answerBody, known, unknown } from "../edge/responses/answer.ts";
import { isFit, truncated } from "./fit.ts";

export const fittedAnswer = z.discriminatedUnion("knows", [known.extend({ truncated }), unknown]);

type Answered = ResponseBody<typeof answerBody>;

export async function fitAnswer(
  answer: Answered,
  askAgain: (query: Query) => Promise<Answered | Failure>,
): Promise<ResponseBody<typeof fittedAnswer> | Failure> {
  let fitting = answer;
  while (!isFit(fitting) && fitting.knows && Array.isArray(fitting.value) && fitting.query !== undefined) {
    const limit = Math.floor(fitting.value.length / 2);
    if (limit === 0) break;
    const again = await askAgain(querySchema.parse({ ...fitting.query, limit }));
    if (!again.ok) return again;
    fitting = again;
  }
  return fitting === answer || !fitting.knows ? fitting : { ...fitting, truncated: ["value"] };
}

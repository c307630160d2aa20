/** Fits answers into a result. Evidence goes before rows, which it repeats, and the sentence says how many rows are left out. */
import * as z from "zod";

import { isPeriod } from "../core/ask/query/check.ts";
import { cutText } from "../core/ingest/text.ts";
import type { ResponseBody } from "../edge/named-schemas.ts";
import { type answerBody, known, unknown } from "../edge/responses/answer.ts";
import { isFit, shorten, truncated } from "./fit.ts";

const totalRows = z
  .int()
  .optional()
  .describe("If `value` lost rows: how many there are. Ask for a narrower window or filter to get the rest.");

export const fittedAnswer = z.discriminatedUnion("knows", [
  known.extend({ truncated, totalRows }),
  unknown.extend({ truncated }),
]);

const MAX_RESTATED_CHARS = 300;

export function fitAnswer(answer: ResponseBody<typeof answerBody>): ResponseBody<typeof fittedAnswer> {
  if (isFit(answer)) return answer;
  const { query, interpretation } = answer;
  const restated = interpretation && {
    ...interpretation,
    restated: cutText(interpretation.restated, MAX_RESTATED_CHARS),
  };
  if (!answer.knows)
    return shorten({ ...answer, interpretation: restated }, [
      { field: "options", atLeast: 2 },
      { field: "candidates", atLeast: 1 },
      { field: "detail" },
    ]);
  const areNewestLast = isPeriod(query?.per) && query?.order === undefined;
  const fitted = shorten({ ...answer, interpretation: { ...answer.interpretation, ...restated } }, [
    { field: "evidence", atLeast: 1 },
    { field: "value", atLeast: 1, isOldestFirst: areNewestLast },
    { field: "answer" },
    { field: "value" },
  ]);
  if (!Array.isArray(answer.value) || !Array.isArray(fitted.value) || !fitted.truncated?.includes("value"))
    return fitted;
  const [left, all] = [fitted.value.length, answer.value.length];
  const note = `Only ${left} of ${all} rows are in this result${areNewestLast ? ", the newest" : ""}. Ask for a narrower window or filter to get the rest.`;
  return { ...fitted, answer: `${fitted.answer}\n${note}`, totalRows: all };
}

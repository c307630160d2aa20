/** Asking: docs/ask.md. */
import { askRequest } from "../../../edge/schemas/ask-request.ts";
import { answerBody } from "../answers/questions.ts";
import { KNOWN, UNKNOWN } from "./examples.ts";
import { JSON_BODY, KEYED, type Operation } from "./operation.ts";

export const QUESTIONS: readonly Operation[] = [
  {
    at: { "/api/v1/ask": "ask", "/api/ask": "askUnversioned" },
    method: "post",
    tag: "Questions",
    summary: "Ask a question",
    description:
      "Answered from what the workspace knows, with evidence for every number, or not at all. At most 4 KB. Does not count towards the write limit.",
    access: "ask",
    body: { schema: askRequest, example: { question: "How many events were there in the last 30 days?" } },
    answer: {
      status: 200,
      description: "The answer, or why there is none.",
      schema: answerBody,
      examples: { known: KNOWN, unknown: UNKNOWN },
    },
    errors: [...KEYED, ...JSON_BODY],
  },
];

/** Answers questions: docs/ask.md. */
import { MAX_ASK_BYTES } from "../../config.ts";
import { ask } from "../../edge/operations/answers.ts";
import { askRequest } from "../../edge/schemas/ask-request.ts";
import { failed } from "../../edge/errors.ts";
import { request } from "../../edge/named-schemas.ts";
import { answerBody } from "../../edge/responses/answer.ts";
import { route } from "../declare-route.ts";

const days = { from: "2026-10-24", to: "2026-11-22" };
const freshness = { lastEventAt: "2026-11-22T08:15:30.000Z", lastRecomputeAt: "2026-11-22T08:15:00.000Z" };

const KNOWN = {
  ok: true,
  knows: true,
  answer: "310 events in the last 30 days (24 Oct to 22 Nov 2026, today so far).",
  value: 310,
  interpretation: {
    intent: "count",
    measure: "events",
    subject: null,
    restated: "How many events were there in the last 30 days?",
  },
  window: { ...days, phrase: "in the last 30 days", defaulted: false },
  evidence: [
    {
      id: "e1",
      kind: "rollup",
      measure: "events",
      value: 310,
      window: days,
      asOf: "2026-11-22T08:15:30.000Z",
    },
  ],
  freshness,
  confidence: "high",
  reason: null,
  query: { find: "events", where: [], show: "count", window: { last: 30, unit: "day" } },
};

const UNKNOWN = {
  ok: true,
  knows: false,
  answer: null,
  interpretation: null,
  window: null,
  evidence: [],
  freshness,
  confidence: null,
  reason: "unresolved_words",
  detail: "Not understood: lunch.",
};

export const askRoute = route(
  {
    method: "post",
    paths: { "/api/v1/ask": "ask", "/api/ask": "askUnversioned" },
    tag: "Questions",
    summary: "Ask a question",
    description:
      "The answer comes from the workspace's data, with evidence for every number; otherwise the response says why there is no answer. With `previous`, a follow-up such as 'And in emea?' changes the query that was answered before. At most 4 KB. Doesn't count toward the write limit.",
    access: "ask",
    body: {
      schema: request("AskRequest", askRequest),
      example: { question: "How many events were there in the last 30 days?" },
      maxBytes: MAX_ASK_BYTES,
    },
    response: {
      status: 200,
      description: "The answer, or the reason for not answering.",
      schema: answerBody,
      examples: { known: KNOWN, unknown: UNKNOWN },
    },
  },
  async (c) => {
    const answer = await ask(c.env, c.get("grant"), c.req.valid("json"));
    return answer.ok ? c.json(answer, 200) : failed(c, answer);
  },
);

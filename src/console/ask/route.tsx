/**
 * Answers questions in the console, with the limits and answers of the API (docs/wire/ask.md §15.1). Questions are sent
 * by POST and shared in the fragment of a URL, which browsers don't send. So no logged URL contains a question.
 */
import { Hono } from "hono";

import * as queries from "../../core/ask/query/model.ts";
import type { AppContext, AppEnv } from "../../edge/app-context.ts";
import { operation } from "../../edge/request-log.ts";
import { askRequest, dayIn } from "../../edge/schemas/ask-request.ts";
import { answerQuery } from "../../services/ask/answer-query.ts";
import { answerQuestion } from "../../services/ask/answer-question.ts";
import { suggestQuestions } from "../../services/ask/suggest-questions.ts";
import { readForm } from "../forms/read-form.ts";
import { Page } from "../layout/page.tsx";
import { requireScope } from "../session/guards.ts";
import { csvOf, isSeries } from "./answer-tables.tsx";
import { tableRowsOf } from "./answer-view.tsx";
import { AskView, type AskViewProps } from "./ask-view.tsx";

type Outcome = Exclude<AskViewProps["outcome"], { examples: unknown }>;

const INVALID_QUERY = { error: "This query is invalid. Reload the page and try again." };

/** Answers a query that an option or an example of the page carries. */
async function answerChosen(c: AppContext, json: unknown): Promise<Outcome> {
  const query = queries.querySchema.safeParse(parsed(json));
  if (!query.success) return INVALID_QUERY;
  const answered = await answerQuery(c.env, c.get("workspace"), query.data, Date.now());
  return "issues" in answered ? INVALID_QUERY : { answered };
}

/** @param before the query that was answered before, if any: follow-ups change it */
async function answerTyped(c: AppContext, text: string, before: unknown): Promise<Outcome> {
  const now = Date.now();
  const question = askRequest.shape.question.safeParse(text);
  if (!question.success) return { error: `“Your question” ${question.error.issues[0]?.message}.` };
  const previous = queries.querySchema.safeParse(parsed(before)).data;
  const asked = { text: question.data, hints: previous ? { previous } : {}, now, today: dayIn("UTC", now) };
  const answered = await answerQuestion(c.env, c.get("workspace"), asked);
  return "issues" in answered ? INVALID_QUERY : { answered };
}

/** @returns `null` for invalid JSON */
function parsed(json: unknown): unknown {
  try {
    return JSON.parse(String(json));
  } catch {
    return null;
  }
}

export const askPages = new Hono<AppEnv>()
  .use(operation("console_ask"), requireScope("ask"))
  .get("/", async (c) => {
    const examples = await suggestQuestions(c.env, c.get("workspace"), Date.now());
    return page(c, "", { examples });
  })
  .post("/", async (c) => {
    const { q, query, previous } = await readForm(c);
    const entered = typeof q === "string" && query === undefined ? q : "";
    const outcome = await (query === undefined ? answerTyped(c, entered, previous) : answerChosen(c, query));
    const answered = "answered" in outcome ? outcome.answered : undefined;
    // A link to a follow-up has the whole question.
    const isWhole = entered !== "" && answered?.previous?.isUsed !== true;
    return page(c, isWhole ? entered : (answered?.asked?.restated ?? ""), outcome);
  })
  .post("/csv", (c) => csv(c));

/** The rows of an answer as a file. The query is asked again, so that the page need not have all of them. */
async function csv(c: AppContext): Promise<Response> {
  const outcome = await answerChosen(c, (await readForm(c))["query"]);
  if ("error" in outcome) return page(c, "", outcome);
  c.header("Content-Disposition", `attachment; filename="answer.csv"`);
  return c.body(csvOf(tableRowsOf(outcome.answered)), 200, { "Content-Type": "text/csv; charset=utf-8" });
}

const page = (c: AppContext, question: string, outcome: AskViewProps["outcome"]) =>
  c.html(
    <Page c={c} title="Ask" tab="ask" hasCharts={"answered" in outcome && isSeries(outcome.answered)}>
      <AskView workspace={c.get("workspace")} {...{ question, outcome }} />
    </Page>,
    "error" in outcome ? 400 : 200,
  );

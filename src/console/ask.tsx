/**
 * Asking in the console: the same questions, limits and answers as over the API (docs/ask.md §15.1), with its defaults.
 * A question stands in the page's address, so that an answer can be linked to; no log line has an address.
 */
import { Hono } from "hono";

import { findExampleSubject } from "../db/ask/example-subjects.ts";
import { answerQuestion } from "../db/ask/answer-question.ts";
import { askRequest, dayIn } from "../http/ask-request.ts";
import { type AppContext, type AppEnv, timed } from "../http/context.ts";
import { operation } from "../http/request-log.ts";
import { requireScope } from "./guard.ts";
import { Page } from "./page.tsx";
import { AskView, type AskViewProps } from "./ask/ask-view.tsx";
import { exampleQuestions } from "./ask/example-questions.ts";

const NO_HINTS = { account: null, user: null, feature: null };

export const askPages = new Hono<AppEnv>().get("/", operation("console_ask"), requireScope("ask"), async (c) => {
  const question = c.req.query("q");
  const now = Date.now();
  const outcome = question === undefined ? await examplesFor(c, now) : await outcomeOf(c, question, now);
  return c.html(
    <Page c={c} title="Ask" tab="ask">
      <AskView workspace={c.get("workspace")} question={question ?? ""} {...{ outcome, now }} />
    </Page>,
    "fault" in outcome ? 400 : 200,
  );
});

async function outcomeOf(c: AppContext, question: string, now: number): Promise<AskViewProps["outcome"]> {
  const read = askRequest.shape.question.safeParse(question);
  if (!read.success) return { fault: `“Your question” ${read.error.issues[0]?.message}.` };
  const asked = { text: read.data, hints: NO_HINTS, now, today: dayIn("UTC", now) };
  return { answered: await timed(c, "databaseMs", () => answerQuestion(c.env, c.get("workspace"), asked)) };
}

async function examplesFor(c: AppContext, now: number): Promise<AskViewProps["outcome"]> {
  const subject = await timed(c, "databaseMs", () => findExampleSubject(c.env, c.get("workspace"), now));
  return { examples: subject === null ? [] : exampleQuestions(subject) };
}

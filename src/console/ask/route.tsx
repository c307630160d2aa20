/**
 * Answers questions in the console, with the limits and answers of the API (docs/ask.md §15.1). Questions are sent by
 * POST and shared in the fragment of a URL, which browsers don't send. So no logged URL contains a question.
 */
import { Hono } from "hono";

import * as queries from "../../core/ask/query/model.ts";
import { type AppContext, type AppEnv, timed } from "../../edge/context.ts";
import { operation } from "../../edge/request-log.ts";
import { askRequest, dayIn } from "../../edge/schemas/ask-request.ts";
import { addQueryLookups } from "../../services/ask/answer-query.ts";
import { addQuestionLookups } from "../../services/ask/answer-question.ts";
import { openForExamples } from "../../services/ask/examples.ts";
import { type Answer, openForAnswer, type RestatedQuery } from "../../services/ask/run-query.ts";
import { findOpened } from "../../services/workspaces/workspaces.ts";
import { readForm } from "../forms/read-form.ts";
import { Page } from "../layout/page.tsx";
import { requireScope, requireWorkspaceFoundBy } from "../session/guards.ts";
import { AskView, type AskViewProps } from "./ask-view.tsx";

declare module "hono" {
  interface ContextVariableMap {
    /** Set by `requireWorkspaceAndExamples`. */
    examples: readonly RestatedQuery[];
    /** Set by `requireWorkspaceAndReadQuestion`. */
    asked: Asked;
  }
}

/** The question in words; empty for a query, whose restatement is known only with the answer. */
interface Asked {
  question: string;
  outcome: () => Promise<{ answered: Answer } | { error: string }>;
}

const requireWorkspaceAndExamples = requireWorkspaceFoundBy(async (c, opener) => {
  const opened = await openForExamples(c.env, opener, Date.now());
  if (opened === null) return null;
  c.set("examples", opened.examples);
  return opened.workspace;
});

const INVALID_QUERY = "This can’t be asked. Reload the page and try again.";

/** Looks up names in the round trip that opens the workspace, so that a question takes at most two. */
const requireWorkspaceAndReadQuestion = requireWorkspaceFoundBy(async (c, opener) => {
  const now = Date.now();
  const { q, query: chosen } = await readForm(c);
  const entered = typeof q === "string" ? q : "";
  const refuse = (error: string) => {
    c.set("asked", { question: entered, outcome: async () => ({ error }) });
    return findOpened(c.env, opener);
  };
  if (chosen !== undefined) {
    const query = queries.query.safeParse(parsed(chosen));
    if (!query.success) return refuse(INVALID_QUERY);
    const opened = await openForAnswer(c.env, opener, addQueryLookups(c.env, query.data, now));
    if (opened === null) return null;
    const outcome = async () => {
      const answered = await opened.answer();
      return "issues" in answered ? { error: INVALID_QUERY } : { answered };
    };
    c.set("asked", { question: "", outcome });
    return opened.workspace;
  }
  const question = askRequest.shape.question.safeParse(entered);
  if (!question.success) return refuse(`“Your question” ${question.error.issues[0]?.message}.`);
  const asked = { text: question.data, hints: {}, now, today: dayIn("UTC", now) };
  const opened = await openForAnswer(c.env, opener, addQuestionLookups(c.env, asked));
  if (opened === null) return null;
  c.set("asked", { question: entered, outcome: async () => ({ answered: await opened.answer() }) });
  return opened.workspace;
});

/** @returns `null` for invalid JSON */
function parsed(json: unknown): unknown {
  try {
    return JSON.parse(String(json));
  } catch {
    return null;
  }
}

export const askPages = new Hono<AppEnv>()
  .get("/", operation("console_ask"), requireWorkspaceAndExamples, requireScope("read"), requireScope("ask"), (c) =>
    page(c, "", { examples: c.get("examples") }),
  )
  .post(
    "/",
    operation("console_ask"),
    requireWorkspaceAndReadQuestion,
    requireScope("read"),
    requireScope("ask"),
    async (c) => {
      const { question, outcome: answer } = c.get("asked");
      const outcome = await timed(c, "databaseMs", answer);
      const restated = "answered" in outcome ? outcome.answered.asked?.restated : undefined;
      return page(c, question === "" ? (restated ?? "") : question, outcome);
    },
  );

const page = (c: AppContext, question: string, outcome: AskViewProps["outcome"]) =>
  c.html(
    <Page c={c} title="Ask" tab="ask">
      <AskView workspace={c.get("workspace")} {...{ question, outcome }} />
    </Page>,
    "error" in outcome ? 400 : 200,
  );

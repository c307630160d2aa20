/**
 * Answers questions in the console, with the same limits and answers as over the API (docs/ask.md §15.1). The question is
 * part of the page's address, so that answers can be shared. Log lines contain no addresses.
 */
import { Hono } from "hono";

import { type AppContext, type AppEnv, timed } from "../../edge/context.ts";
import { operation } from "../../edge/request-log.ts";
import { askRequest, dayIn } from "../../edge/schemas/ask-request.ts";
import { type AnsweredQuestion, openForQuestion } from "../../services/ask/answer-question.ts";
import { findExampleSubject } from "../../services/ask/example-subject.ts";
import { findOpened } from "../../services/workspaces/workspaces.ts";
import { Page } from "../layout/page.tsx";
import { requireScope, requireWorkspaceFoundBy } from "../session/guards.ts";
import { AskView, type AskViewProps } from "./ask-view.tsx";
import { exampleQuestions } from "./example-questions.ts";

const NO_HINTS = { account: null, user: null, feature: null };

declare module "hono" {
  interface ContextVariableMap {
    /** Set by `requireWorkspaceAndReadQuestion`. */
    question: Question;
  }
}

/** `now` is in milliseconds since the epoch. */
type Question = { now: number } & (
  | { state: "none" }
  | { state: "invalid"; error: string }
  | { state: "asked"; answer: () => Promise<AnsweredQuestion> }
);

/** Looks up the question's names in the round trip that opens the workspace, so that asking takes at most two. */
const requireWorkspaceAndReadQuestion = requireWorkspaceFoundBy(async (c, opener) => {
  const now = Date.now();
  const entered = c.req.query("q");
  const question = askRequest.shape.question.safeParse(entered);
  if (!question.success) {
    const error = `“Your question” ${question.error.issues[0]?.message}.`;
    c.set("question", entered === undefined ? { now, state: "none" } : { now, state: "invalid", error });
    return findOpened(c.env, opener);
  }
  const asked = { text: question.data, hints: NO_HINTS, now, today: dayIn("UTC", now) };
  const opened = await openForQuestion(c.env, opener, asked);
  if (opened === null) return null;
  c.set("question", { now, state: "asked", answer: opened.answer });
  return opened.workspace;
});

export const askPages = new Hono<AppEnv>().get(
  "/",
  operation("console_ask"),
  requireWorkspaceAndReadQuestion,
  requireScope("read"),
  requireScope("ask"),
  async (c) => {
    const outcome = await outcomeOf(c);
    return c.html(
      <Page c={c} title="Ask" tab="ask">
        <AskView workspace={c.get("workspace")} question={c.req.query("q") ?? ""} {...{ outcome }} />
      </Page>,
      "error" in outcome ? 400 : 200,
    );
  },
);

async function outcomeOf(c: AppContext): Promise<AskViewProps["outcome"]> {
  const question = c.get("question");
  switch (question.state) {
    case "none": {
      const subject = await timed(c, "databaseMs", () => findExampleSubject(c.env, c.get("workspace"), question.now));
      return { examples: subject === null ? [] : exampleQuestions(subject) };
    }
    case "invalid":
      return { error: question.error };
    case "asked":
      return { answered: await timed(c, "databaseMs", question.answer) };
  }
}

/**
 * Asking in the console: the same questions, limits and answers as over the API (docs/ask.md §15.1), with its defaults.
 * A question stands in the page's address, so that an answer can be linked to; no log line has an address.
 */
import { Hono } from "hono";

import { findExampleSubject } from "../../services/ask/reads.ts";
import { type AnsweredQuestion, openForQuestion } from "../../services/ask/answer-question.ts";
import { findOpened } from "../../services/workspaces/workspaces.ts";
import { askRequest, dayIn } from "../../edge/schemas/ask-request.ts";
import { type AppContext, type AppEnv, timed } from "../../edge/context.ts";
import { operation } from "../../edge/request-log.ts";
import { openingBy, requireScope } from "../session/guard.ts";
import { Page } from "../layout/page.tsx";
import { AskView, type AskViewProps } from "./ask-view.tsx";
import { exampleQuestions } from "./example-questions.ts";

const NO_HINTS = { account: null, user: null, feature: null };

declare module "hono" {
  interface ContextVariableMap {
    /** Behind `openForAsking` only. */
    asked: Asked;
  }
}

/** `now` is when, in milliseconds since the epoch. */
type Asked = { now: number } & ({ question: null } | { fault: string } | { answer: () => Promise<AnsweredQuestion> });

/** A question's names are looked up in the round trip that opens the workspace, so that asking takes no more than two. */
const openForAsking = openingBy(async (c, opener) => {
  const now = Date.now();
  const question = c.req.query("q");
  const read = askRequest.shape.question.safeParse(question);
  if (!read.success) {
    const fault = `“Your question” ${read.error.issues[0]?.message}.`;
    c.set("asked", question === undefined ? { now, question: null } : { now, fault });
    return findOpened(c.env, opener);
  }
  const asked = { text: read.data, hints: NO_HINTS, now, today: dayIn("UTC", now) };
  const opened = await openForQuestion(c.env, opener, asked);
  if (opened === null) return null;
  c.set("asked", { now, answer: opened.answer });
  return opened.workspace;
});

export const askPages = new Hono<AppEnv>().get(
  "/",
  operation("console_ask"),
  openForAsking,
  requireScope("read"),
  requireScope("ask"),
  async (c) => {
    const { now } = c.get("asked");
    const outcome = await outcomeOf(c);
    return c.html(
      <Page c={c} title="Ask" tab="ask">
        <AskView workspace={c.get("workspace")} question={c.req.query("q") ?? ""} {...{ outcome, now }} />
      </Page>,
      "fault" in outcome ? 400 : 200,
    );
  },
);

async function outcomeOf(c: AppContext): Promise<AskViewProps["outcome"]> {
  const asked = c.get("asked");
  if ("question" in asked) return examplesFor(c, asked.now);
  return "fault" in asked ? asked : { answered: await timed(c, "databaseMs", asked.answer) };
}

async function examplesFor(c: AppContext, now: number): Promise<AskViewProps["outcome"]> {
  const subject = await timed(c, "databaseMs", () => findExampleSubject(c.env, c.get("workspace"), now));
  return { examples: subject === null ? [] : exampleQuestions(subject) };
}

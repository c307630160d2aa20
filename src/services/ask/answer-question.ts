/**
 * Answers a question: reads it, looks up the names in it, makes a plan, looks up the facts for the plan, and answers.
 * Takes at most two round trips. All decisions are in the core.
 */
import { answerFor, BEHIND } from "../../core/ask/answer/answer.ts";
import type { Answer, Freshness, Refusal, SubjectType } from "../../core/ask/model.ts";
import { lookUps } from "../../core/ask/question/look-ups.ts";
import { readQuestion } from "../../core/ask/question/read-question.ts";
import type { Question } from "../../core/ask/question/tokens.ts";
import { understand } from "../../core/ask/understand.ts";
import type { Day } from "../../core/health/model.ts";
import { type Batch, newBatch } from "../../db/client/batch.ts";
import type { WorkspaceRef } from "../../db/client/database.ts";
import { type Opener, openingBatch, type OpenWorkspace } from "../../db/workspaces/open-workspace-sql.ts";
import { readFacts } from "../../db/ask/facts.ts";
import type { GivenHints } from "../../db/ask/hints.ts";
import { type LookedUp, lookUp } from "../../db/ask/look-up.ts";

export interface AskedQuestion {
  text: string;
  hints: GivenHints;
  /** Milliseconds since the epoch, and today's date in the time zone of the question. */
  now: number;
  today: Day;
}

export interface AnsweredQuestion {
  answer: Answer;
  freshness: Freshness;
}

export async function answerQuestion(
  env: Env,
  workspace: WorkspaceRef,
  asked: AskedQuestion,
): Promise<AnsweredQuestion> {
  return answerWith(env, workspace, asked, await lookUpNames(newBatch(env, workspace), asked));
}

/** A question with its workspace, which the first round trip has opened. */
interface OpenedQuestion {
  workspace: OpenWorkspace;
  /** Takes at most one more round trip. */
  answer: () => Promise<AnsweredQuestion>;
}

/** @returns `null` if the opener opens no workspace */
export async function openForQuestion(env: Env, opener: Opener, asked: AskedQuestion): Promise<OpenedQuestion | null> {
  const { batch, readOpened } = openingBatch(env, opener);
  const named = await lookUpNames(batch, asked);
  const workspace = readOpened();
  return workspace && { workspace, answer: () => answerWith(env, workspace, asked, named) };
}

interface NamedQuestion extends LookedUp {
  question: Question;
}

async function lookUpNames(batch: Batch, { text, hints }: AskedQuestion): Promise<NamedQuestion> {
  const question = readQuestion(text);
  return { question, ...(await lookUp(batch, lookUps(question), hints)) };
}

async function answerWith(
  env: Env,
  workspace: WorkspaceRef,
  { now, today }: AskedQuestion,
  { question, found, hints, unknownHint, ...lookedUp }: NamedQuestion,
): Promise<AnsweredQuestion> {
  if (unknownHint !== null) return { answer: noSuchHint(unknownHint), ...lookedUp };
  const { firstDay } = lookedUp.freshness;
  const understood = understand(question, found, hints, { today, firstDay });
  if (!understood.ok) return { answer: refused(understood.refusal, lookedUp.freshness), ...lookedUp };
  const { facts, freshness } = await readFacts(env, workspace, understood.plan, now);
  return { answer: answerFor(understood, facts, freshness, { now, today }), freshness };
}

const HINT_FIELDS: Record<SubjectType, string> = { account: "accountId", user: "userId", feature: "feature" };

const noSuchHint = (hint: SubjectType): Answer => ({
  knows: false,
  reason: "no_such_subject",
  detail: `There is no such ${hint} as ${HINT_FIELDS[hint]} tells of.`,
  interpretation: null,
  window: null,
});

/** During a rebuild, whether a window has data is unknown. */
const refused = ({ candidates, ...refusal }: Refusal, { isBehind, firstDay }: Freshness): Answer => ({
  knows: false,
  ...refusal,
  ...(isBehind &&
    firstDay === null &&
    refusal.reason === "no_data_in_window" && { reason: "stale_data", detail: BEHIND }),
  ...(candidates && {
    candidates: candidates.map(({ name, ...entity }) => ({ ...entity, ...(name !== null && { name }) })),
  }),
  interpretation: null,
  window: null,
});

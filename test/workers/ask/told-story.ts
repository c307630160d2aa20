/** A story told over HTTP, questions asked about it, and answers in a form in which they can be compared. */
import { env } from "cloudflare:workers";
import { expect } from "vitest";

import { recompute } from "../../../src/services/recompute/recompute.ts";
import { batch, type Fields } from "../support/messages.ts";
import { type Answer, send } from "../support/send.ts";
import { admin, newWorkspace, type TestWorkspace } from "../support/workspace.ts";
import { type AnswerBody, answerBody } from "../../../src/http/responses/answer.ts";
import type { StoryNames } from "./story.ts";
import type { StoryQuestion } from "./story-questions.ts";
import { foldAll, NOW } from "./told-workspace.ts";

/** In the order in which answers list equals; none of them is a word of a question. */
export const PLAIN_NAMES: StoryNames = {
  accounts: ["brimvale", "callowick", "duskmoor", "evergast", "fernholt", "gullmere"],
  users: ["hannek", "ilmarik", "jocastan", "kestuv", "liesbethe", "marjolka", "nikolav", "ottokarl", "pernilka"],
  events: ["board.shared", "invoice.sent", "layout.changed", "report.exported"],
  plans: ["basaltine", "granitic", "marblette"],
  texts: ["aardwolves", "bumblebees", "cormorants"],
};

/** What comes together: a batch, and a few native captures beside it. */
export type Arrival = readonly Fields[];

/** Some of the messages that could be one: always the same, since a native capture deduplicates by itself. */
const isNative = ({ type, accountId, userId, event, messageId }: Fields): boolean =>
  type === "track" &&
  accountId !== undefined &&
  userId !== undefined &&
  NATIVE_EVENT.test(String(event)) &&
  String(messageId).endsWith("7");
const NATIVE_EVENT = /^[a-z][a-z0-9_]*(\.[a-z0-9_]+)*$/;

export interface StoryWorkspace extends TestWorkspace {
  tell: (arrival: Arrival) => Promise<void>;
  ask: (question: StoryQuestion) => Promise<AnswerBody>;
  askAll: (questions: readonly StoryQuestion[]) => Promise<Comparable[]>;
}

/** Does with a workspace of its own what has to be done, and leaves nothing for later recomputes. */
export async function inWorkspace<Result>(use: (workspace: StoryWorkspace) => Promise<Result>): Promise<Result> {
  const workspace = await newWorkspace({ writeLimit: 100_000 });
  const headers = { Authorization: `Bearer ${workspace.key}`, "Content-Type": "application/json" };
  const post = (path: string, body: unknown): Promise<Answer> => send("POST", path, body, { headers });
  const ask = async (question: StoryQuestion) => {
    const answer = await post("/api/v1/ask", question);
    expect(answer, JSON.stringify(question)).toMatchObject({ status: 200 });
    const { data, error } = answerBody.safeParse(answer.body);
    if (data === undefined) expect.fail(`${JSON.stringify(question)}: ${error?.message} in ${answer.text}`);
    return data;
  };
  const askAll = async (questions: readonly StoryQuestion[]) => {
    const answers: Comparable[] = [];
    for (const question of questions) answers.push({ question, ...comparable(await ask(question)) });
    return answers;
  };
  const tell = async (arrival: Arrival) => {
    const { status, body } = await post("/api/v1/cdp", batch(arrival.filter((message) => !isNative(message))));
    expect([status, body.rejected]).toEqual([200, []]);
    for (const { messageId, type: _type, ...capture } of arrival.filter(isNative)) {
      const retried = { ...headers, "Idempotency-Key": String(messageId) };
      expect(await send("POST", "/api/v1/events", capture, { headers: retried })).toMatchObject({ status: 200 });
    }
  };
  const result = await use({ ...workspace, tell, ask, askAll });
  expect((await admin("DELETE", `/workspaces/${workspace.id}`)).status).toBe(200);
  return result;
}

/** What has to be the same wherever the same is known: all but ids that are made at random, and when it was looked up. */
export type Comparable = Record<string, unknown>;

const RANDOM_ID = /\b(?:acc|usr|itm)_[0-9a-f]{24}\b/g;
const withoutId = (_: string, value: unknown): unknown =>
  typeof value === "string" ? value.replaceAll(RANDOM_ID, "(id)") : value;

/** Inbox items of one rank stand in the order of ids that are made at random: they are compared as the rows they are. */
export function unordered({ value, ...answer }: Comparable): Comparable {
  if (!Array.isArray(value)) return { ...answer, value };
  const keyed = value.map((row: unknown) => ({ row, key: JSON.stringify(row) }));
  const rows = keyed.toSorted((a, b) => (a.key < b.key ? -1 : 1)).map(({ row }) => row);
  return { ...answer, value: rows, answer: null, evidence: [] };
}

export const isOfItems = ({ interpretation }: Comparable): boolean =>
  JSON.stringify(interpretation ?? null).includes('"measure":"items"');

export function comparable({ evidence, freshness, ...answer }: AnswerBody): Comparable {
  const kept = {
    ...answer,
    lastEventAt: freshness.lastEventAt,
    evidence: evidence.map(({ asOf: _asOf, ...ground }) => ground),
  };
  const alike: Comparable = JSON.parse(JSON.stringify(kept), withoutId);
  return isOfItems(alike) ? unordered(alike) : alike;
}

/** A run of the recompute; one whose time is up after so many looks at the clock stops somewhere in the middle. */
export async function recomputeFor(looks: number | null, now = NOW): Promise<void> {
  if (looks === null) return foldAll(now);
  let taken = -1;
  await recompute(env, {
    now,
    trigger: "admin",
    clock: () => (++taken > looks ? now + 3_600_000 : now),
    budgetMs: 60_000,
    retentionDays: 400,
    stepSizes: { messages: 7, deletions: 5, compared: 3, scored: 3 },
  });
}

/**
 * A counterexample is told as it was found: to look for a smaller one takes longer than a test may. The cases are the same
 * in each run; other seeds and more runs look further.
 */
export const runs = (numRuns: number) => ({ numRuns, seed: 2_026, endOnFailure: true });

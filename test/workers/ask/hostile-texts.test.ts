/** §15: text from senders is data: it is quoted, and neither obeyed nor taken for a part of a question. */
import * as fc from "fast-check";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";

import type { Fields } from "../support/messages.ts";
import { asStored, hostileContent, hostileNames, hostileNamesBeside, renamed, saysUnmeant } from "./hostile-names.ts";
import { asTyped, inQuotes, questionsAbout, questionsWithHints, type StoryQuestion } from "./story-questions.ts";
import { messagesOf, RICH_STORY, story, type StoryNames } from "./story.ts";
import { inWorkspace, PLAIN_NAMES, recomputeFor, runs } from "./told-story.ts";
import { NOW } from "./told-workspace.ts";

beforeEach(() => {
  vi.useFakeTimers({ now: NOW, toFake: ["Date"] });
  // A line of the log for each question.
  vi.spyOn(console, "log").mockImplementation(() => undefined);
});
afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
});

const answersAbout = (messages: readonly Fields[], questions: readonly StoryQuestion[]) =>
  inWorkspace(async ({ tell, askAll }) => {
    // Whether there was a run before is told of the deployment, and not of the workspace.
    await recomputeFor(null);
    await tell(messages);
    const unfolded = await askAll(questions);
    await recomputeFor(null);
    return { unfolded, folded: await askAll(questions) };
  });

const questionsIn = (names: StoryNames) => {
  const { told, judged } = questionsAbout(asStored(names), inQuotes);
  return [...told, ...judged];
};

/** Half of the questions for each of two stories: all of them are asked, and of more than one. */
const half = (questions: readonly StoryQuestion[], which: number) =>
  questions.filter((_, place) => place % 2 === which % 2);

describe("§15 text from senders is data", () => {
  const WAYS = [
    ["in quotation marks", hostileNames, questionsIn],
    ["beside the question", hostileNamesBeside, (names: StoryNames) => questionsWithHints(asStored(names))],
  ] as const;

  it.each(WAYS)("§15.2 names %s change an answer only by themselves, whatever they say", async (_, names, asked) => {
    expect.hasAssertions();
    let stories = 0;
    await fc.assert(
      fc.asyncProperty(fc.oneof(fc.constant(RICH_STORY), story), names, async (some, others) => {
        const which = stories++;
        const questions = half(asked(others), which);
        const plain = await answersAbout(messagesOf(some, PLAIN_NAMES), half(asked(PLAIN_NAMES), which));
        const hostile = await answersAbout(messagesOf(some, others), questions);
        for (const when of ["unfolded", "folded"] as const) {
          const expected = renamed(plain[when], others);
          const compared = hostile[when].flatMap((answer, place) => {
            const [wanted, question] = [{ ...expected[place], question: questions[place] }, questions[place]];
            const isSilent = ["unresolved_words", "ambiguous_subject"].includes(String(answer["reason"]));
            const mayBeSilent = question !== undefined && saysUnmeant(question, others);
            return isSilent && mayBeSilent ? [] : [{ answer, wanted }];
          });
          expect(compared.map(({ answer }) => answer)).toEqual(compared.map(({ wanted }) => wanted));
        }
      }),
      runs(3),
    );
  });

  it("§15.5 properties and traits change nothing, whatever they read as", async () => {
    let stories = 0;
    await fc.assert(
      fc.asyncProperty(fc.oneof(fc.constant(RICH_STORY), story), hostileContent, async (some, content) => {
        const which = stories++;
        const messages = messagesOf(some, PLAIN_NAMES);
        const { told, judged } = questionsAbout(PLAIN_NAMES, asTyped);
        const questions = half([...told, ...judged], which);
        const plain = await answersAbout(messages, questions);
        expect(await answersAbout(messages.map(content), questions)).toEqual(plain);
      }),
      runs(2),
    );
  });
});

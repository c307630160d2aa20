/** §15.1: the form of the response, whatever the question. */
import * as fc from "fast-check";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";

import { arbitraryQuestion } from "./arbitrary-questions.ts";
import { messagesOf, RICH_STORY } from "./story.ts";
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

describe("§15.1 whatever is asked", () => {
  it("§15.1 is answered in the documented form, and where it is, the same as it is restated", async () => {
    await inWorkspace(async ({ tell, ask }) => {
      await tell(messagesOf(RICH_STORY, PLAIN_NAMES));
      await recomputeFor(null);
      let answered = 0;
      await fc.assert(
        fc.asyncProperty(arbitraryQuestion, async (question) => {
          const answer = await ask(question);
          if (!answer.knows) return;
          answered += 1;
          const { interpretation, value, window } = answer;
          const restated = await ask({ question: interpretation.restated });
          expect({
            value: restated.knows ? restated.value : restated.reason,
            measure: restated.interpretation?.measure,
            days: restated.window && [restated.window.from, restated.window.to],
          }).toEqual({ value, measure: interpretation.measure, days: window && [window.from, window.to] });
        }),
        runs(300),
      );
      expect(answered).toBeGreaterThan(20);
    });
  });
});

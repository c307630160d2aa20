/**
 * §15: what answers do not depend on. The same story has the same answers, whatever way its messages came and whenever
 * they were folded.
 */
import * as fc from "fast-check";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";

import { admin } from "../support/workspace.ts";
import type { Fields } from "../support/messages.ts";
import { asTyped, questionsAbout, type StoryQuestion, type StoryQuestions } from "./story-questions.ts";
import { FIRST_DAY, messagesOf, RICH_STORY, story } from "./story.ts";
import { type Comparable, inWorkspace, PLAIN_NAMES, recomputeFor, runs, type StoryWorkspace } from "./told-story.ts";
import { DAY_MS, NOW, TODAY } from "./told-workspace.ts";

beforeEach(() => {
  vi.useFakeTimers({ now: NOW, toFake: ["Date"] });
  // A line of the log for each question.
  vi.spyOn(console, "log").mockImplementation(() => undefined);
});
afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
});

const ALL = questionsAbout(PLAIN_NAMES, asTyped);
/** A third of the questions for each of three stories: all of them are asked, and of more than one. */
function inThirds(): () => StoryQuestions {
  let stories = 0;
  return () => {
    const which = stories++ % 3;
    const third = (questions: readonly StoryQuestion[]) => questions.filter((_, place) => place % 3 === which);
    return { told: third(ALL.told), judged: third(ALL.judged) };
  };
}

interface Answers {
  /** Before anything was folded, and after. */
  unfolded: Comparable[];
  folded: Comparable[];
  judged: Comparable[];
}

async function answersIn({ askAll }: StoryWorkspace, { told, judged }: StoryQuestions): Promise<Answers> {
  const unfolded = await askAll(told);
  await recomputeFor(null);
  return { unfolded, folded: await askAll(told), judged: await askAll(judged) };
}

/** Of a story that came in one batch. */
const answersTo = (messages: readonly Fields[], asked: StoryQuestions): Promise<Answers> =>
  inWorkspace(async (workspace) => {
    await workspace.tell(messages);
    return answersIn(workspace, asked);
  });

/** By their places in a cycle: in order with a stride of 1, back to front with one less than the cycle. */
const CYCLE = 10_007;
const stride = fc.oneof(fc.constantFrom(1, CYCLE - 1), fc.integer({ min: 2, max: CYCLE - 2 }));
const shuffled = <Item>(items: readonly Item[], by: number): Item[] =>
  items
    .map((item, place) => ({ item, at: ((place + 1) * by) % CYCLE }))
    .toSorted((a, b) => a.at - b.at)
    .map(({ item }) => item);

const cuts = fc.array(fc.double({ min: 0, max: 1, noNaN: true }), { maxLength: 6 });
function cutAt<Item>(items: readonly Item[], places: readonly number[]): Item[][] {
  const bounds = [0, ...places.map((place) => Math.floor(place * items.length)), items.length].toSorted(
    (a, b) => a - b,
  );
  return bounds.slice(1).map((end, place) => items.slice(bounds[place], end));
}

describe("§15 the same story has the same answers", () => {
  it("§15.5 all that is asked of it has an answer in one that tells of everything", async () => {
    const { unfolded, folded, judged } = await answersTo(messagesOf(RICH_STORY, PLAIN_NAMES), ALL);
    const silent = [...unfolded, ...folded, ...judged].filter(({ knows }) => knows !== true);
    expect(silent).toEqual([]);
    expect(folded).toEqual(unfolded);
  });

  it("§15 in whatever order its messages arrive", async () => {
    const next = inThirds();
    await fc.assert(
      fc.asyncProperty(story, stride, cuts, async (some, by, places) => {
        const asked = next();
        const messages = messagesOf(some, PLAIN_NAMES);
        const arrivals = cutAt(shuffled(messages, by), places);
        const answers = await inWorkspace(async (workspace) => {
          for (const arrival of arrivals) await workspace.tell(arrival);
          return answersIn(workspace, asked);
        });
        expect(answers).toEqual(await answersTo(messages, asked));
      }),
      runs(3),
    );
  });

  it("§15 in whatever batches they come, and however often", async () => {
    const again = fc.array(fc.tuple(fc.nat(7), fc.nat(7)), { maxLength: 4 });
    const next = inThirds();
    await fc.assert(
      fc.asyncProperty(story, cuts, again, fc.boolean(), async (some, places, repeats, isTwice) => {
        const asked = next();
        const messages = messagesOf(some, PLAIN_NAMES);
        const batches = cutAt(messages, places).map((batch) => (isTwice ? [...batch, ...batch.slice(0, 40)] : batch));
        const answers = await inWorkspace(async (workspace) => {
          for (const [place, batch] of batches.entries()) {
            await workspace.tell(batch);
            for (const [after, which] of repeats) {
              if (after === place) await workspace.tell(batches[which % (place + 1)] ?? []);
            }
          }
          return answersIn(workspace, asked);
        });
        expect(answers).toEqual(await answersTo(messages, asked));
      }),
      runs(3),
    );
  });

  it("§15.5 whenever it is folded, by runs cut short anywhere and rebuilds as well, or never", async () => {
    const between = fc.array(fc.oneof(fc.constantFrom<("rebuild" | null)[]>("rebuild", null, null), fc.nat(40)), {
      maxLength: 3,
    });
    const parts = fc.array(fc.tuple(fc.double({ min: 0, max: 1, noNaN: true }), between), {
      minLength: 1,
      maxLength: 4,
    });
    const next = inThirds();
    await fc.assert(
      fc.asyncProperty(story, stride, parts, between, async (some, by, doings, last) => {
        const { told } = next();
        const messages = messagesOf(some, PLAIN_NAMES);
        const never = await inWorkspace(async ({ tell, askAll }) => {
          await tell(messages);
          return askAll(told);
        });
        const arrivals = cutAt(
          shuffled(messages, by),
          doings.map(([place]) => place),
        );
        await inWorkspace(async ({ id, tell, askAll }) => {
          const doAll = async (doing: readonly ("rebuild" | number | null)[]) => {
            for (const one of doing) {
              if (one === "rebuild") await admin("POST", `/workspaces/${id}/rebuild`);
              else await recomputeFor(one);
            }
          };
          for (const [place, arrival] of arrivals.entries()) {
            await doAll(doings[place - 1]?.[1] ?? []);
            await tell(arrival);
          }
          await doAll(last);
          // While a rebuild is asked for or under way, nothing that counts events is answered.
          const isRebuilt = last.includes("rebuild") || doings.some(([, doing]) => doing.includes("rebuild"));
          if (isRebuilt) await recomputeFor(null);
          expect(await askAll(told)).toEqual(never);
          await recomputeFor(null);
          expect(await askAll(told)).toEqual(never);
        });
      }),
      runs(3),
    );
  });

  it("§15.5 told day by day, with recomputes on some of the mornings, or all at once", async () => {
    const mornings = fc.uniqueArray(fc.integer({ min: 1, max: TODAY - FIRST_DAY }), { minLength: 1, maxLength: 5 });
    const next = inThirds();
    await fc.assert(
      fc.asyncProperty(story, mornings, async (some, days) => {
        const asked = next();
        const messages = messagesOf(some, PLAIN_NAMES);
        const { folded, judged } = await answersTo(messages, asked);
        await inWorkspace(async ({ tell, askAll }) => {
          let from = 0;
          for (const day of [...days.toSorted((a, b) => a - b), null]) {
            const midnight = day === null ? NOW : (FIRST_DAY + day) * DAY_MS;
            vi.setSystemTime(midnight - (day === null ? 0 : 1));
            const here = messages.filter(({ timestamp }) => isBetween(Date.parse(String(timestamp)), from, midnight));
            await tell(here);
            from = midnight;
            if (day !== null) await recomputeFor(null, midnight + 300_000);
          }
          await recomputeFor(null);
          expect(await askAll(asked.told)).toEqual(folded);
          expect(await askAll(asked.judged)).toEqual(judged);
        });
      }),
      runs(3),
    );
  });
});

const isBetween = (moment: number, from: number, to: number): boolean => moment >= from && moment < to;

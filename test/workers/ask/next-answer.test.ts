/** §15.5: answers are fresh: what a request stored is counted in the next answer, whatever the recompute is about. */
import * as fc from "fast-check";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";

import { admin } from "../support/workspace.ts";
import { inWorkspace, recomputeFor, runs } from "./told-story.ts";
import { DAY_MS, NOW } from "./told-workspace.ts";

beforeEach(() => {
  vi.useFakeTimers({ now: NOW, toFake: ["Date"] });
  // A line of the log for each question.
  vi.spyOn(console, "log").mockImplementation(() => undefined);
});
afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
});

describe("§15.5 what was captured is counted", () => {
  const step = fc.oneof(
    {
      arbitrary: fc.record({ captured: fc.integer({ min: 1, max: 4 }), during: fc.constantFrom("run", "nothing") }),
      weight: 3,
    },
    { arbitrary: fc.option(fc.nat(12), { freq: 2 }).map((looks) => ({ looks })), weight: 2 },
    { arbitrary: fc.integer({ min: 1, max: 6 }).map((looks) => ({ does: "rebuild", looks }) as const), weight: 2 },
    { arbitrary: fc.constant({ does: "midnight" } as const), weight: 1 },
  );

  it("§15.5 in the next answer, whatever stands between: a fold, a recompute, a rebuild, midnight", async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 4, maxLength: 12, size: "max" }), async (steps) => {
        vi.setSystemTime(NOW);
        await inWorkspace(async ({ id, post, ask }) => {
          const counts = { brimvale: 0, callowick: 0 };
          let [made, isRebuilding, now] = [0, false, NOW];
          const capture = async () => {
            made += 1;
            const accountId = made % 3 === 0 ? "callowick" : "brimvale";
            const event = { accountId, userId: "hannek", event: made % 2 === 0 ? "board.shared" : "layout.changed" };
            const { status } = await (made % 4 === 0
              ? post("/api/v1/cdp", { type: "track", ...event })
              : post("/api/v1/events", event));
            expect(status).toBe(200);
            counts[accountId] += 1;
          };
          /** A number, or none while a rebuild is under way: what is counted then may be half of it. */
          const expectCount = async (question: string, count: number) => {
            const answer = await ask({ question: `${question} since 2026-11-01?` });
            if (isRebuilding && !answer.knows) return;
            expect([question, answer.knows ? answer.value : answer.reason]).toEqual([question, count]);
          };
          const expectCounts = async () => {
            const { brimvale, callowick } = counts;
            await expectCount("How many events did we have", brimvale + callowick);
            await expectCount("How many events did hannek have", brimvale + callowick);
            await expectCount("How many events did brimvale have", brimvale);
            if (callowick > 0) await expectCount("How many events did callowick have", callowick);
            await expectCount("How many times was layout.changed used", Math.ceil(made / 2));
            await expectCount("How many active users did we have", 1);
          };
          await capture();
          for (const one of steps) {
            if ("captured" in one) {
              const running = one.during === "run" ? recomputeFor(null, now) : undefined;
              for (let count = 0; count < one.captured; count += 1) await capture();
              await expectCounts();
              await running;
            } else if ("does" in one && one.does === "midnight") {
              now += DAY_MS;
              vi.setSystemTime(now);
            } else {
              if ("does" in one) await admin("POST", `/workspaces/${id}/rebuild`);
              isRebuilding ||= "does" in one;
              await expectCounts();
              await recomputeFor(one.looks, now);
              isRebuilding &&= one.looks !== null;
            }
            await expectCounts();
          }
          await recomputeFor(null, now);
          isRebuilding = false;
          await expectCounts();
        });
      }),
      runs(6),
    );
  });
});

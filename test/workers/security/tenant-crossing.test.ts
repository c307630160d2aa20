/**
 * Workspaces are isolated. Two tenants with the same external ids, message ids, event names, trait keys and questions
 * use every operation and try each other's ids and cursors. All other texts contain a canary of their tenant.
 */
import * as fc from "fast-check";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";

import { createApp } from "../../../src/app.ts";
import { CANARIES } from "./tenant.ts";
import { OF_NO_TENANT, OPERATIONS } from "./tenant-operations.ts";
import { play, type Step, type Told, withoutRandomness } from "./tenant-play.ts";
import { cases } from "../../thorough.ts";

const SLOW_MS = 300_000;

beforeEach(() => {
  vi.useFakeTimers({ toFake: ["Date"] });
  vi.spyOn(console, "log").mockImplementation(() => undefined);
});
afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
});

const ASK = "POST /api/v1/ask";
const ERASE_USER = "DELETE /api/v1/users/:externalId";
/** These run last, because they remove what other steps try to reach. */
const LAST = [
  ERASE_USER,
  "POST /api/v1/users/erase",
  "DELETE /admin/workspaces/:id/keys/:keyId",
  "DELETE /admin/workspaces/:id",
];
const ROUTES = Object.keys(OPERATIONS);
const BEFORE = ROUTES.filter((route) => !LAST.includes(route));
/** One of the paths that do the same. */
const TELLING = BEFORE.filter((route) => /^(?:GET|POST|PUT|PATCH|DELETE) \/(?:mcp$|(?:api\/v1|admin)\/)/.test(route));

const draws = fc.array(fc.nat(2_519), { minLength: 16, maxLength: 16 });
const step: fc.Arbitrary<Step> = fc.record({
  by: fc.oneof({ weight: 5, arbitrary: fc.constantFrom<Step["by"][]>(0, 1) }, fc.constant("recompute" as const)),
  route: fc.oneof(
    { weight: 8, arbitrary: fc.constantFrom(...TELLING) },
    fc.constantFrom(...ROUTES),
    fc.constant(ERASE_USER),
    { weight: 2, arbitrary: fc.constant(ASK) },
  ),
  draws,
});

/** Draws the same steps in each run: each operation by each tenant, and the erasing ones last. */
const EVERYTHING: Step[] = [...BEFORE, ...LAST].flatMap((route, seed) => {
  const numRuns = route === ASK ? cases(80) : TELLING.includes(route) || LAST.includes(route) ? 10 : 2;
  return fc
    .sample(draws, { seed, numRuns })
    .map((drawn, time) => ({ by: time < numRuns / 2 ? 0 : 1, route, draws: drawn }));
});

/** Returns the responses to the first tenant, with the second one active and without. */
async function playBothWays(steps: readonly Step[]): Promise<{ beside: Told[]; alone: Told[] }> {
  const [first, second] = await play(steps, false);
  expectNoCanaryOf(CANARIES[1], first);
  expectNoCanaryOf(CANARIES[0], second);
  const [alone] = await play(steps, true);
  return { beside: withoutRandomness(first), alone: withoutRandomness(alone) };
}

function expectNoCanaryOf(other: string, told: readonly Told[]): void {
  for (const { route, asksForTheirs, text } of told) {
    if (!asksForTheirs) expect(text.toLowerCase(), route).not.toContain(other);
  }
}

describe("§1 tenants", () => {
  it("§1 each route of the app is tested here, or belongs to no workspace", () => {
    const routes = createApp()
      // console/crossing tests those of the console.
      .routes.filter(({ method, path }) => method !== "ALL" && !path.startsWith("/console"))
      .map(({ method, path }) => `${method} ${path}`);
    expect([...new Set(routes)].toSorted()).toEqual([...ROUTES, ...OF_NO_TENANT].toSorted());
  });

  it(
    "§1 each operation succeeds for its own tenant, and returns nothing of the other's",
    { timeout: SLOW_MS },
    async () => {
      const { beside, alone } = await playBothWays(EVERYTHING);
      expect(beside).toEqual(alone);
      const good = new Set(beside.flatMap(({ route, status }) => (status < 300 ? [route] : [])));
      expect(ROUTES.filter((route) => !good.has(route))).toEqual([]);
      const telling = new Set(beside.flatMap(({ route, text }) => (text.includes(CANARIES[0]) ? [route] : [])));
      expect([...telling]).toEqual(
        expect.arrayContaining([
          "GET /api/v1/events",
          "GET /api/v1/export",
          "GET /api/v1/rejected",
          "GET /api/v1/users/:externalId",
          "POST /api/v1/ask",
          "POST /api/v1/query",
          "GET /api/v1/dimensions",
          "GET /api/v1/accounts",
          "GET /api/v1/accounts/:externalId",
          "GET /admin/workspaces/:id",
        ]),
      );
    },
  );

  it(
    "§1 no response contains or depends on the data of the other tenant, in any order of operations",
    { timeout: SLOW_MS },
    async () => {
      const steps = fc.array(step, { minLength: 8, maxLength: 24 });
      await fc.assert(
        fc.asyncProperty(steps, async (drawn) => {
          const { beside, alone } = await playBothWays(drawn);
          expect(beside).toEqual(alone);
        }),
        { numRuns: cases(8), endOnFailure: true },
      );
    },
  );
});

/**
 * What one workspace does and holds is nothing to another. Two tenants with the same external ids, message ids, event
 * names, trait keys and questions do whatever can be done, and try each other's ids and cursors, while each text that
 * may differ tells whose it is.
 */
import * as fc from "fast-check";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";

import { createApp } from "../../../src/app.ts";
import { CANARIES } from "./tenant.ts";
import { OF_NO_TENANT, OPERATIONS } from "./tenant-operations.ts";
import { play, type Step, type Told, withoutRandomness } from "./tenant-play.ts";

const SLOW_MS = 300_000;

beforeEach(() => {
  vi.useFakeTimers({ toFake: ["Date"] });
  vi.spyOn(console, "log").mockImplementation(() => undefined);
});
afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
});

/** There are many things to ask. */
const ASK = "POST /api/v1/ask";
const ERASE_USER = "DELETE /api/v1/users/:externalId";
/** The later, the less is left to cross into. */
const LAST = [
  ERASE_USER,
  "POST /api/v1/users/erase",
  "DELETE /admin/workspaces/:id/keys/:keyId",
  "DELETE /admin/workspaces/:id",
];
const ROUTES = Object.keys(OPERATIONS);
const BEFORE = ROUTES.filter((route) => !LAST.includes(route));
/** Of the paths that do the same, one. */
const TELLING = BEFORE.filter((route) => /^(?:GET|POST|PUT|PATCH|DELETE) \/(?:api\/v1|admin)\//.test(route));

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

/** Each operation by each tenant, in several ways that are always the same, and at last those that end it all. */
const EVERYTHING: Step[] = [...BEFORE, ...LAST].flatMap((route, seed) => {
  const numRuns = route === ASK ? 80 : TELLING.includes(route) || LAST.includes(route) ? 10 : 2;
  return fc
    .sample(draws, { seed, numRuns })
    .map((drawn, time) => ({ by: time < numRuns / 2 ? 0 : 1, route, draws: drawn }));
});

/** What the first tenant is told with the other at work beside it, and without. */
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
  it("§1 every route of the app is one that is tried here, or names no workspace", () => {
    const routes = createApp()
      // The console's are tried in console/crossing.
      .routes.filter(({ method, path }) => method !== "ALL" && !path.startsWith("/console"))
      .map(({ method, path }) => `${method} ${path}`);
    expect([...new Set(routes)].toSorted()).toEqual([...ROUTES, ...OF_NO_TENANT].toSorted());
  });

  it(
    "§1 each operation does something for its own tenant, and tells nothing of what is the other's",
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
          "GET /api/v1/rejected",
          "GET /api/v1/users/:externalId",
          "POST /api/v1/ask",
          "GET /api/v1/accounts",
          "GET /api/v1/accounts/:externalId",
          "GET /admin/workspaces/:id",
        ]),
      );
    },
  );

  it(
    "§1 no answer tells one of them what the other holds, nor depends on it, and nothing that one does changes what the other holds",
    { timeout: SLOW_MS },
    async () => {
      const steps = fc.array(step, { minLength: 8, maxLength: 24 });
      await fc.assert(
        fc.asyncProperty(steps, async (drawn) => {
          const { beside, alone } = await playBothWays(drawn);
          expect(beside).toEqual(alone);
        }),
        { numRuns: 8, endOnFailure: true },
      );
    },
  );
});

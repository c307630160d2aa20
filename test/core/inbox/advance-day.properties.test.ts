import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { Band, HealthDay } from "../../../src/core/health/model.ts";
import type { InboxItem, ItemKind } from "../../../src/core/inbox/model.ts";
import { REOPEN_DAYS } from "../../../src/core/inbox/lifecycle.ts";
import {
  bestOf,
  DAY,
  DAY_MS,
  diary,
  replay,
  SENDER_OUT,
  SILENT,
  type Story,
  type Given,
  compareUsage,
} from "./support.ts";

const LENGTH = 120;

const KEY_USERS = [1, 2].map((user) => ({ user, days: 20, share: 0.4, silence: SILENT }));
const FEATURES = [1, 2].map((feature) => ({ feature, users: 4, days: 12, lastDay: DAY - 30 }));
const trialEnds = [10, 40, 90].map((days) => new Date((DAY + days) * DAY_MS).toISOString());

const bandOf = (score: number): Band => (score < 40 ? "at_risk" : score < 70 ? "watch" : "healthy");
const health = (score: number | null): Partial<HealthDay> =>
  score === null
    ? { score, uncapped: score, state: "insufficient_data", confidence: null }
    : { score, uncapped: score, state: bandOf(score), band: bandOf(score), confidence: "medium" };

const attributes = fc
  .record(
    {
      trialEndsAt: fc.constantFrom(...trialEnds),
      contractEndsAt: fc.constantFrom(...trialEnds),
      seats: fc.constantFrom(0, 4, 10),
      mrr: fc.constantFrom(0, 50, 100),
      currency: fc.constantFrom("EUR", "USD"),
    },
    { requiredKeys: [] },
  )
  .map((values) => ({ ...values }));

/** A few unusual measures that hold for some days. */
const spell = fc.record({
  days: fc.integer({ min: 1, max: 30 }),
  given: fc.record<Partial<Given>>(
    {
      stage: fc.constantFrom("trial", "active", "active", "churned"),
      attributes,
      senderSilence: fc.constantFrom(null, null, null, SENDER_OUT),
      activeDaysEver: fc.constantFrom(2, 100),
      activeDays: fc.constantFrom(0, 5),
      activeOfFive: fc.constantFrom(1, null),
      silence: fc.constantFrom(SILENT, { ...SILENT, silent: false }, null),
      trend: fc.constantFrom(null, compareUsage(10, 40, -4), compareUsage(28, 40, -1), compareUsage(40, 40, 0)),
      ownBest: fc.constantFrom(null, bestOf(0.4), bestOf(0.6), bestOf(0.9)),
      activeUsers: fc.constantFrom(1, 4, 10),
      growth: fc.constantFrom(null, { ...compareUsage(60, 30, 5), newUsers: 2 }),
      keyUsers: fc.subarray(KEY_USERS),
      usersBack: fc.subarray([1, 2]),
      usersSucceeded: fc.subarray([1, 2]),
      droppedFeatures: fc.subarray(FEATURES),
      featureDays: fc.constantFrom(0, 1, 2),
      depth: fc.constantFrom(null, 30, 80),
      health: fc.constantFrom(null, 20, 50, 80).map(health),
    },
    { requiredKeys: [] },
  ),
});

/** Consecutive spells from `DAY` on. The first also holds before, the last also after them. */
const stories = fc.array(spell, { minLength: 2, maxLength: 12 }).map((spells) => {
  const byDay = spells.flatMap(({ days, given }) => Array.from({ length: days }, () => given));
  return (day: number): Partial<Given> => byDay[Math.min(Math.max(0, day - DAY), byDay.length - 1)] ?? {};
});

/** Checks a property of any story. `split` is a day of it. */
const always = (holds: (story: (day: number) => Partial<Given>, split: number) => void) =>
  fc.assert(fc.property(stories, fc.nat({ max: LENGTH - 1 }), holds), { numRuns: 100 });

const pagesOf = (story: Story): InboxItem[][] => diary(story, DAY, DAY + LENGTH);
const lastOf = (story: Story): InboxItem[] => pagesOf(story).at(-1) ?? [];
const identity = ({ kind, subject }: InboxItem): string => `${kind} ${subject}`;
const isOpen = (item: InboxItem): boolean => item.resolvedDay === null;
const sorted = (items: readonly InboxItem[]): string[] => items.map((item) => JSON.stringify(item)).toSorted();

/** Kinds that may be open for a churned account. */
const OPEN_AFTER_CHURN: ReadonlySet<ItemKind> = new Set(["usage_growth", "seats_nearly_full"]);
/** Kinds that are no risk, or say nothing about what it is. */
const BESIDE_RISKS: ReadonlySet<ItemKind> = new Set([
  "trial_ending_ready",
  "usage_growth",
  "seats_nearly_full",
  "renewal_at_risk",
]);
const SUPPRESSED_BY_SILENCE: ReadonlySet<ItemKind> = new Set([
  "usage_drop",
  "slow_decline",
  "key_user_quiet",
  "feature_dropped",
  "health_dropped",
]);
/** Kinds that go on while the sender is out. */
const BY_ATTRIBUTES: ReadonlySet<ItemKind> = new Set(["trial_ending_ready", "trial_expired", "contraction"]);
const alarms = (items: readonly InboxItem[]) => items.filter(({ kind }) => !BY_ATTRIBUTES.has(kind));

describe("the inbox, whatever happens", () => {
  it("§12.1 the stories contain every kind", () => {
    const kinds = fc.sample(stories, { numRuns: 300, seed: 1 }).flatMap((story) => lastOf(story));
    expect(new Set(kinds.map(({ kind }) => kind)).size).toBe(14);
  });
  it("§12.1 a replay from any day gives the same items", () => {
    always((story, split) => {
      const whole = replay(story, DAY, DAY + LENGTH);
      const before = structuredClone(replay(story, DAY, DAY + split));
      expect(replay(story, DAY + split + 1, DAY + LENGTH, before)).toEqual(whole);
    });
  });
  it("§12.1 the order of the given items makes no difference", () => {
    always((story, split) => {
      const before = replay(story, DAY, DAY + split);
      const after = replay(story, DAY + split + 1, DAY + LENGTH, before.toReversed());
      expect(sorted(after)).toEqual(sorted(replay(story, DAY, DAY + LENGTH)));
    });
  });
  it("§12.1 at most one item of a kind and subject is open", () => {
    always((story) => {
      for (const items of pagesOf(story)) {
        const open = items.filter(isOpen).map(identity);
        expect(new Set(open).size).toBe(open.length);
      }
    });
  });
  it("§12.1 a closed item never changes, and no item disappears", () => {
    always((story) => {
      const pages = pagesOf(story);
      for (const [index, items] of pages.entries()) {
        const next = pages[index + 1] ?? items;
        expect(next.length).toBeGreaterThanOrEqual(items.length);
        expect(items.filter((item, at) => !isOpen(item) && next[at] !== item)).toEqual([]);
      }
    });
  });
  it("§12.2 an account at risk has an item about a risk, whatever was closed before", () => {
    always((story) => {
      for (const [index, items] of pagesOf(story).entries()) {
        const { health: of, stage, senderSilence = null } = story(DAY + index);
        if (of?.state !== "at_risk" || stage === "churned" || senderSilence !== null) continue;
        expect(items.filter((item) => isOpen(item) && !BESIDE_RISKS.has(item.kind))).not.toEqual([]);
      }
    });
  });
  it("§12.1 occurrences count from 1, each at least 14 days after the last one closed, unless the account is at risk", () => {
    always((story) => {
      const items = lastOf(story).filter(({ kind }) => kind !== "health_dropped");
      for (const same of Map.groupBy(items, identity).values()) {
        expect(same.map(({ occurrence }) => occurrence)).toEqual(same.map((_, index) => index + 1));
        const pauses = same.slice(1).map((item, index) => item.openedDay - (same[index]?.resolvedDay ?? Infinity));
        expect(Math.min(REOPEN_DAYS, ...pauses)).toBe(REOPEN_DAYS);
      }
    });
  });
  it("§12.1 items open, are confirmed and close in that order, with a resolution", () => {
    always((story) => {
      for (const { openedDay, confirmedDay, resolvedDay, resolution } of lastOf(story)) {
        expect(confirmedDay).toBeGreaterThanOrEqual(openedDay);
        expect(resolvedDay === null).toBe(resolution === null);
        expect(resolvedDay ?? Infinity).toBeGreaterThan(confirmedDay);
      }
    });
  });
  it("§12.3 a churned or silent account has no items that this suppresses", () => {
    always((story) => {
      for (const [index, items] of pagesOf(story).entries()) {
        const given = story(DAY + index);
        const open = items.filter(isOpen).map(({ kind }) => kind);
        const isOut = given.senderSilence !== null && given.senderSilence !== undefined;
        const isChurned = given.stage === "churned" && !isOut;
        const isSilent = open.includes("gone_silent") && !isOut;
        expect(open.filter((kind) => isChurned && !OPEN_AFTER_CHURN.has(kind))).toEqual([]);
        expect(open.filter((kind) => isSilent && SUPPRESSED_BY_SILENCE.has(kind))).toEqual([]);
      }
    });
  });
  it("§12.3 an outage opens no alarm and changes none", () => {
    always((story) => {
      const active = (day: number): Partial<Given> => ({ ...story(day), stage: "active" });
      const before = replay(active, DAY, DAY + 30);
      const out = (day: number): Partial<Given> => ({ ...active(day), senderSilence: SENDER_OUT });
      expect(alarms(replay(out, DAY + 31, DAY + 60, before))).toEqual(alarms(before));
    });
  });
});

/** Rules about opportunities (docs/inbox.md §12.2). */
import type { Measures } from "../health/measures.ts";
import type { Day } from "../health/model.ts";
import type { ItemEvidence } from "./model.ts";
import { comparedAs, everyDay, type Rule, updated } from "./rule.ts";

const MIN_SEATS = 3;
const FULL_PERCENT = 90;
const FULL_DAYS = 7;
const NOT_FULL_PERCENT = 85;

const GROWTH_RATIO = 1.5;
const GROWTH_Z = 3;
const GROWTH_NEW_USERS = 2;
const GROWTH_EXPIRY_DAYS = 28;

/** Compares with the seats of that day. */
function isNearlyFull(measures: Measures, day: Day): boolean {
  const { seats } = measures.attributes(day);
  if (seats === undefined || seats < MIN_SEATS) return false;
  return measures.activeUsers(day) * 100 >= seats * FULL_PERCENT;
}

const seatEvidence = (measures: Measures, day: Day, seats: number): ItemEvidence[] => [
  { code: "active_users", value: measures.activeUsers(day), expected: seats },
];

const seatsNearlyFull: Rule = {
  kind: "seats_nearly_full",
  severity: "low",
  staysOnChurn: true,
  find: (input) => {
    const { measures, day } = input;
    const { seats } = measures.attributes(day);
    if (seats === undefined || !everyDay(input, FULL_DAYS, (each) => isNearlyFull(measures, each))) return [];
    return [{ subject: String(seats), evidence: seatEvidence(measures, day, seats) }];
  },
  update: ({ subject }, { measures, day }) => ({ evidence: seatEvidence(measures, day, Number(subject)) }),
  resolution: (item, { measures, day }) => {
    const { seats } = measures.attributes(day);
    if (String(seats) !== item.subject) return "changed";
    return measures.activeUsers(day) * 100 < Number(item.subject) * NOT_FULL_PERCENT ? "recovered" : null;
  },
};

const growthEvidence = (growth: NonNullable<ReturnType<Measures["growth"]>>): ItemEvidence[] => [
  comparedAs("user_days", growth),
  { code: "new_users", value: growth.newUsers },
  { code: "z", value: growth.z },
];

const usageGrowth: Rule = {
  kind: "usage_growth",
  severity: "low",
  staysOnChurn: true,
  find: ({ measures, day }) => {
    const growth = measures.growth(day);
    if (growth === null) return [];
    const { ratio, z, newUsers } = growth;
    if (ratio < GROWTH_RATIO || z < GROWTH_Z || newUsers < GROWTH_NEW_USERS) return [];
    return [{ subject: "", evidence: growthEvidence(growth) }];
  },
  update: (_, { measures, day }) => updated(measures.growth(day), growthEvidence),
  expiresAfterDays: GROWTH_EXPIRY_DAYS,
};

export const GROWTH_RULES: readonly Rule[] = [seatsNearlyFull, usageGrowth];

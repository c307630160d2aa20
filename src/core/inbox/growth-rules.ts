/** Rules about opportunities (docs/inbox.md §12.2). */
import type { AccountMeasures } from "../health/measures.ts";
import type { Day } from "../health/model.ts";
import type { ItemEvidence } from "./model.ts";
import { comparisonEvidence, holdsOnLastDays, type InboxRule, updatedEvidence } from "./rule.ts";

const MIN_SEATS = 3;
const FULL_PERCENT = 90;
const FULL_DAYS = 7;
const NOT_FULL_PERCENT = 85;

const GROWTH_RATIO = 1.5;
const GROWTH_Z = 3;
const GROWTH_NEW_USERS = 2;
const GROWTH_EXPIRY_DAYS = 28;

/** Compares with the seats of that day. */
function isNearlyFull(measures: AccountMeasures, day: Day): boolean {
  const { seats } = measures.attributes(day);
  if (seats === undefined || seats < MIN_SEATS) return false;
  return measures.activeUsers(day) * 100 >= seats * FULL_PERCENT;
}

const seatEvidence = (measures: AccountMeasures, day: Day, seats: number): ItemEvidence[] => [
  { code: "active_users", value: measures.activeUsers(day), expected: seats },
];

const seatsNearlyFull: InboxRule = {
  kind: "seats_nearly_full",
  severity: "low",
  keptOnChurn: true,
  find: (input) => {
    const { measures, day } = input;
    const { seats } = measures.attributes(day);
    if (seats === undefined || !holdsOnLastDays(input, FULL_DAYS, (each) => isNearlyFull(measures, each))) return [];
    return [{ subject: String(seats), evidence: seatEvidence(measures, day, seats) }];
  },
  update: ({ subject }, { measures, day }) => ({ evidence: seatEvidence(measures, day, Number(subject)) }),
  resolution: (item, { measures, day }) => {
    const { seats } = measures.attributes(day);
    if (String(seats) !== item.subject) return "changed";
    return measures.activeUsers(day) * 100 < Number(item.subject) * NOT_FULL_PERCENT ? "recovered" : null;
  },
};

const growthEvidence = (growth: NonNullable<ReturnType<AccountMeasures["growth"]>>): ItemEvidence[] => [
  comparisonEvidence("user_days", growth),
  { code: "new_users", value: growth.newUsers },
  { code: "z", value: growth.z },
];

const usageGrowth: InboxRule = {
  kind: "usage_growth",
  severity: "low",
  keptOnChurn: true,
  find: ({ measures, day }) => {
    const growth = measures.growth(day);
    if (growth === null) return [];
    const { ratio, z, newUsers } = growth;
    if (ratio < GROWTH_RATIO || z < GROWTH_Z || newUsers < GROWTH_NEW_USERS) return [];
    return [{ subject: "", evidence: growthEvidence(growth) }];
  },
  update: (_, { measures, day }) => updatedEvidence(measures.growth(day), growthEvidence),
  expiresAfterDays: GROWTH_EXPIRY_DAYS,
};

export const GROWTH_RULES: readonly InboxRule[] = [seatsNearlyFull, usageGrowth];

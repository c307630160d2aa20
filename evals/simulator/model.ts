/** Types of the simulation: the plan of a workspace, which is its known truth, and its events. Day 0 is a Monday. */

export const SCENARIOS = [
  "steady",
  "late_events",
  "month_end",
  "tiny",
  "growing",
  "trial_converts",
  "cliff",
  "slow_decline",
  "champion_gone",
  "trial_dies",
  "contraction",
  "trial_expires",
  "poor_adoption",
  "sudden_end",
  "turnover",
  "feature_abandoned",
] as const;
export type Scenario = (typeof SCENARIOS)[number];

/** What really happens to an account, whatever the rules conclude. */
export interface Truth {
  scenario: Scenario;
  firstDay: number;
  /** First day of decline, `null` for an account that never declines. From then on an alarm is correct. */
  declineDay: number | null;
  /** Day on which usage reaches its final level. */
  declinedDay: number | null;
  /** First day after the contract, perhaps after the simulation. */
  churnDay: number | null;
  growthDay: number | null;
  trialEndDay: number | null;
}

export interface UserPlan {
  id: string;
  /** Probability of using the product on an ordinary working day. */
  rate: number;
  /** How often the user uses each feature, as weights. */
  features: readonly number[];
  /** First day with the company, and first day after leaving it. */
  joins: number;
  leaves: number;
  /** Vacations. */
  away: readonly DayRange[];
}

export type DayRange = readonly [first: number, last: number];

export interface AccountPlan {
  id: string;
  truth: Truth;
  users: readonly UserPlan[];
  pattern: "weekdays" | "month_end";
  /** Usage on a weekend day, as a share of a working day. */
  weekend: number;
  /** Factors of the users' rates: 1 before the first, straight lines between them. */
  level: readonly (readonly [day: number, level: number])[];
  /** A feature, by its index, that nobody uses from a day on. */
  abandons?: { readonly feature: number; readonly day: number };
  /** Share of events that arrive days late. */
  late: number;
  /** Traits that the sender reports, and when. */
  traits: readonly { day: number; traits: Readonly<Record<string, string | number>> }[];
}

/** Affects all accounts of a workspace at once. */
export interface Disturbance {
  kind: "holiday" | "outage";
  days: DayRange;
}

export interface WorkspacePlan {
  seed: string;
  days: number;
  accounts: readonly AccountPlan[];
  disturbances: readonly Disturbance[];
}

/** The use of a feature, or the traits of the account if `event` is `null`. */
export interface SimulatedEvent {
  messageId: string;
  account: string;
  user: string;
  event: string | null;
  traits: Readonly<Record<string, string | number>> | null;
  day: number;
  /** Milliseconds since the epoch. */
  at: number;
  arrivalDay: number;
  arrivesAt: number;
}

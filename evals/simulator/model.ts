/**
 * The words of the simulation: what is planned for a workspace, and so known of it, and what happens in it.
 *
 * Days count from 0, which is a Monday.
 */

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
] as const;
export type Scenario = (typeof SCENARIOS)[number];

/** What is so, whatever the rules come to think. */
export interface Truth {
  scenario: Scenario;
  firstDay: number;
  /** The first day of less use; `null` for an account that never declines. From here on an alarm is no false one. */
  declineDay: number | null;
  /** The day by which the use has come down to where it stays. */
  declinedDay: number | null;
  /** The first day after the end of the contract, perhaps after the end of the simulation. */
  churnDay: number | null;
  growthDay: number | null;
  trialEndDay: number | null;
}

export interface UserPlan {
  id: string;
  /** The chance of using the product on an ordinary working day. */
  rate: number;
  /** By feature: how often it comes up in what the user does. */
  features: readonly number[];
  /** The first day with the company, and the first without. */
  joins: number;
  leaves: number;
  /** On leave: first day and last. */
  away: readonly Stretch[];
}

export type Stretch = readonly [first: number, last: number];

export interface AccountPlan {
  id: string;
  truth: Truth;
  users: readonly UserPlan[];
  pattern: "weekdays" | "month_end";
  /** The use of a day of the weekend against that of a working day. */
  weekend: number;
  /** What the users' rates are multiplied by: 1 before the first of these, straight lines between them. */
  level: readonly (readonly [day: number, level: number])[];
  /** The share of events that arrive days late. */
  late: number;
  /** What the sender tells of the account, and when. */
  traits: readonly { day: number; traits: Readonly<Record<string, string | number>> }[];
}

/** What befalls all accounts of a workspace at once. */
export interface Disturbance {
  kind: "holiday" | "outage";
  days: Stretch;
}

export interface WorkspacePlan {
  seed: string;
  days: number;
  accounts: readonly AccountPlan[];
  disturbances: readonly Disturbance[];
}

/** A use of a feature, or a word on the account where there is none. */
export interface Happening {
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

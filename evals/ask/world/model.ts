/**
 * A simulated workspace: who is in it, what they did, and by which words people ask for them. Its events are the raw
 * list that every true answer is counted from.
 */

/** A feature as the sender sends it, as the service is to know it, and in the words of people. */
export interface Feature {
  /** Dotted, as it is stored. */
  event: string;
  /** As it is sent. */
  sent: string;
  /** `report exported` */
  spoken: string;
  /** `exporting reports`, `exported reports`; what is no verb with an object has neither. */
  doing?: string;
  did?: string;
}

export interface Attributes {
  stage?: string;
  plan?: string;
  seats?: number;
  mrr?: number;
  currency?: string;
  /** Milliseconds since the epoch. */
  trialEndsAt?: number;
}

export type Traits = Readonly<Record<string, string | number | boolean>>;

export interface User {
  id: string;
  /** The account that it is in at last. */
  account: string;
  traits: Traits;
  /** Identity traits. */
  name?: string;
  email?: string;
  /** How it may be written in a question. */
  asked: readonly string[];
}

/** How use goes over the weeks. */
export type Course = "steady" | "growing" | "declining" | "silent" | "sparse";

export interface Account {
  id: string;
  /** An account of one of a user: never grouped. */
  isSolo: boolean;
  /** An identity trait. */
  company?: string;
  asked: readonly string[];
  /** When the first message named it, milliseconds since the epoch. */
  firstAt: number;
  attributes: Attributes;
  traits: Traits;
  users: readonly User[];
  course: Course;
}

export interface Happening {
  at: number;
  account: string;
  user: string | null;
  feature: Feature;
}

export interface World {
  name: string;
  /** Milliseconds since the epoch; a working day's afternoon. */
  now: number;
  /** The day of the first event. */
  firstDay: number;
  accounts: readonly Account[];
  users: readonly User[];
  features: readonly Feature[];
  /** Ascending by time; none after now. */
  happenings: readonly Happening[];
  /** What is sent besides, by time. */
  facts: readonly { at: number; message: Record<string, unknown> }[];
  /** Where the recompute runs: milliseconds since the epoch, ascending. What is later is not folded yet. */
  recomputes: readonly number[];
}

export const accountOf = (world: World, id: string): Account => {
  const found = world.accounts.find((account) => account.id === id);
  if (found === undefined) throw new Error(`${world.name} has no account ${id}`);
  return found;
};

/** Draws what a question is about. */
import { pick, type Random, shuffled } from "../../simulator/random.ts";
import { happened } from "../oracle/counts.ts";
import type { Account, Feature, User } from "../world/model.ts";
import type { WindowKind } from "../window-kinds.ts";
import type { Label, Told } from "./model.ts";

/** Accounts that a question may name. */
export const nameable = ({ world }: Told): Account[] =>
  world.accounts.filter(({ isSolo, asked }) => !isSolo && asked.length > 0);

export const someAccounts = (told: Told, count: number, keep: (account: Account) => boolean = () => true): Account[] =>
  shuffled(told.random, nameable(told).filter(keep)).slice(0, count);

/** Users of companies with at least some use. */
export const someUsers = (told: Told, count: number, keep: (user: User) => boolean = () => true): User[] =>
  shuffled(
    told.random,
    nameable(told)
      .flatMap(({ users }) => users)
      .filter((user) => user.asked.length > 0 && keep(user) && happened(told.world, { user: user.id }).length > 0),
  ).slice(0, count);

/** Features that there are verbs for, and that happened. */
export function someFeature({ world, random }: Told): Feature {
  const [first, ...others] = world.features.filter(
    ({ event, doing }) => doing !== undefined && happened(world, { event }).length > 0,
  );
  if (first === undefined) throw new Error(`${world.name} has no feature to ask for`);
  return pick(random, [first, ...others]);
}

export function someKind(random: Random, kinds: readonly WindowKind[]): WindowKind {
  const [first = "default", ...others] = kinds;
  return pick(random, [first, ...others]);
}

export const accountLabel = ({ id, company }: Account): Label => (company === undefined ? [id] : [id, company]);
export const userLabel = ({ id, name }: User): Label => (name === undefined ? [id] : [id, name]);
export const featureLabel = ({ event }: Feature): Label => [event];

export function labelOfAccount({ world }: Told, id: string): Label {
  const account = world.accounts.find((one) => one.id === id);
  return account === undefined ? [id] : accountLabel(account);
}

export function labelOfUser({ world }: Told, id: string): Label {
  const user = world.users.find((one) => one.id === id);
  return user === undefined ? [id] : userLabel(user);
}

/** States as they are said. */
export const STATE_WORDS: Readonly<Record<string, string>> = {
  at_risk: "at risk",
  healthy: "healthy",
  watch: "on watch",
};

/** An account's health, where it has a score. */
export const scored = ({ outcomes }: Told, { id }: Account) => {
  const health = outcomes.health.get(id);
  return health === undefined || health === null || health.score === null ? null : { ...health, score: health.score };
};

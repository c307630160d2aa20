/** From a short description of a workspace to all that happened in it. */
import { DAY_MS, dayOf } from "../calendar.ts";
import { activityOf } from "./activity.ts";
import type { Account, Attributes, Course, Feature, Happening, Traits, User, World } from "./model.ts";

const MINUTE_MS = 60_000;

export interface AccountSketch {
  id: string;
  company?: string;
  /** How it may be written in a question; its id and its company where absent. */
  asked?: readonly string[];
  isSolo?: boolean;
  course?: Course;
  /** How many days ago it was first named. */
  age: number;
  users: readonly UserSketch[];
  attributes?: Attributes;
  traits?: Traits;
  /** Set so many days ago, over what it began with. */
  later?: { daysAgo: number; attributes: Attributes };
}

export interface UserSketch {
  id: string;
  name?: string;
  email?: string;
  asked?: readonly string[];
  traits?: Traits;
}

export interface WorldSketch {
  name: string;
  now: number;
  seed: number;
  accounts: readonly AccountSketch[];
  features: readonly Feature[];
  recomputes: readonly number[];
  /** Nothing happened in the last days: the sender stopped. */
  silentDays?: number;
  /** Happens besides. */
  more?: readonly Happening[];
}

export function buildWorld(sketch: WorldSketch): World {
  const { name, now, seed, features, recomputes, silentDays = 0, more = [] } = sketch;
  const accounts = sketch.accounts.map((account) => accountFrom(account, now));
  const until = now - silentDays * DAY_MS;
  const happenings = [...accounts.flatMap((account) => activityOf(account, features, seed, until)), ...more].toSorted(
    (one, other) => one.at - other.at,
  );
  const [first] = happenings;
  if (first === undefined) throw new Error(`nothing happens in ${name}`);
  return {
    name,
    now,
    firstDay: dayOf(first.at),
    accounts,
    users: accounts.flatMap(({ users }) => users),
    features,
    happenings,
    facts: accounts
      .flatMap((account, place) => factsOf(account, sketch.accounts[place], now))
      .toSorted((one, other) => one.at - other.at),
    recomputes,
  };
}

function accountFrom(sketch: AccountSketch, now: number): Account {
  const { id, company, isSolo = false, course = "steady", attributes = {}, traits = {}, later } = sketch;
  const asked = sketch.asked ?? [id, ...(company === undefined ? [] : [company])];
  return {
    id,
    isSolo,
    ...(company === undefined ? {} : { company }),
    asked,
    // A solo account is first named by its first event, which comes within minutes of the day's start.
    firstAt: dayOf(now - sketch.age * DAY_MS) * DAY_MS + 5 * 60 * MINUTE_MS,
    attributes: { ...attributes, ...later?.attributes },
    traits,
    users: sketch.users.map((user) => userFrom(user, id)),
    course,
  };
}

const userFrom = ({ id, name, email, asked, traits = {} }: UserSketch, account: string): User => ({
  id,
  account,
  traits,
  ...(name === undefined ? {} : { name }),
  ...(email === undefined ? {} : { email }),
  asked: asked ?? [id, ...(name === undefined ? [] : [name])],
});

/** The messages that say what an account and its users are. */
function factsOf(account: Account, sketch: AccountSketch | undefined, now: number): World["facts"] {
  const { id, isSolo, firstAt, traits, users } = account;
  const identities = users
    .filter((user) => Object.keys(user.traits).length > 0)
    .map((user, place) => ({
      at: firstAt + (place + 2) * MINUTE_MS,
      message: {
        type: "identify",
        userId: user.id,
        traits: user.traits,
        ...(isSolo ? {} : { context: { groupId: id } }),
      },
    }));
  // Nobody groups a user who is on their own; that account is made by the first event.
  if (isSolo) return [];
  const first = {
    at: firstAt,
    message: { type: "group", groupId: id, traits: { ...sent(sketch?.attributes), ...traits } },
  };
  const memberships = users.map((user) => ({
    at: firstAt + MINUTE_MS,
    message: { type: "group", groupId: id, userId: user.id, traits: {} },
  }));
  const later = sketch?.later;
  const change =
    later === undefined
      ? []
      : [{ at: now - later.daysAgo * DAY_MS, message: { type: "group", groupId: id, traits: sent(later.attributes) } }];
  return [first, ...memberships, ...identities, ...change];
}

const sent = ({ trialEndsAt, ...attributes }: Attributes = {}): Record<string, unknown> => ({
  ...attributes,
  ...(trialEndsAt === undefined ? {} : { trialEndsAt: new Date(trialEndsAt).toISOString() }),
});

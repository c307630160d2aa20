/**
 * A small story that senders tell of some accounts over sixty days, apart from what anything in it is called. However its
 * messages arrive it comes to the same: each has an id and a moment of its own, events name their account, and who has
 * events in two accounts was grouped into them.
 */
import * as fc from "fast-check";

import type { Fields } from "../support/messages.ts";
import { DAY_MS, TODAY } from "./told-workspace.ts";

export const DAYS = 60;
export const FIRST_DAY = TODAY - DAYS + 1;
export const MOST_ACCOUNTS = 6;
/** The last of them is in no account but one of its own. */
export const USERS = 9;
export const EVENTS = 4;
export const PLANS = 3;
export const TEXTS = 3;

/** What things are called: as many of each as a story may have. */
export interface StoryNames {
  accounts: readonly string[];
  users: readonly string[];
  events: readonly string[];
  plans: readonly string[];
  /** Values of free-form traits. */
  texts: readonly string[];
}

/** Days are counted from the first of the story. */
export interface AccountStory {
  stretches: readonly { from: number; everyDays: number; users: number; events: number }[];
  told: readonly (readonly [day: number, ToldAttribute])[];
}

export type ToldAttribute =
  | { plan: number | null }
  | { industry: number | null }
  | { seats: number | null }
  | { mrr: number; currency: string }
  | { stage: string }
  | { trialEndsAt: number };

export interface Story {
  accounts: readonly AccountStory[];
  /** Users who were grouped into the next account on a day. */
  moves: readonly (readonly [user: number, day: number])[];
  roles: readonly (readonly [user: number, day: number, role: number])[];
  /** Every so many days. */
  aloneEvery: number;
}

const day = fc.nat(DAYS - 1);
const textOrNone = fc.option(fc.nat(TEXTS - 1), { freq: 4 });

const told: fc.Arbitrary<ToldAttribute> = fc.oneof(
  fc.option(fc.nat(PLANS - 1), { freq: 4 }).map((plan) => ({ plan })),
  textOrNone.map((industry) => ({ industry })),
  fc.constantFrom(1, 5, 20, null).map((seats) => ({ seats })),
  fc.record({ mrr: fc.constantFrom(0, 49.5, 100, 1_200), currency: fc.constantFrom("USD", "USD", "EUR") }),
  fc.constantFrom("trial", "active", "churned").map((stage) => ({ stage })),
  fc.integer({ min: -10, max: 30 }).map((trialEndsAt) => ({ trialEndsAt })),
);

const account: fc.Arbitrary<AccountStory> = fc.record({
  stretches: fc.array(
    fc.record({
      from: day,
      everyDays: fc.integer({ min: 1, max: 5 }),
      users: fc.nat(3),
      events: fc.integer({ min: 1, max: 2 }),
    }),
    { minLength: 1, maxLength: 3 },
  ),
  told: fc.array(fc.tuple(day, told), { maxLength: 8 }),
});

export const story: fc.Arbitrary<Story> = fc.record({
  accounts: fc.array(account, { minLength: 3, maxLength: MOST_ACCOUNTS, size: "max" }),
  moves: fc.array(fc.tuple(fc.nat(USERS - 2), day), { maxLength: 2 }),
  roles: fc.array(fc.tuple(fc.nat(USERS - 2), day, fc.nat(TEXTS - 1)), { maxLength: 4 }),
  aloneEvery: fc.integer({ min: 2, max: 9 }),
});

/** One of which every question has something to ask. */
export const RICH_STORY: Story = {
  accounts: [
    {
      stretches: [{ from: 0, everyDays: 1, users: 3, events: 2 }],
      told: [
        [1, { plan: 0 }],
        [2, { industry: 0 }],
        [3, { seats: 5 }],
        [4, { mrr: 100, currency: "USD" }],
        [5, { stage: "trial" }],
        [6, { trialEndsAt: 9 }],
      ],
    },
    {
      stretches: [
        { from: 0, everyDays: 1, users: 2, events: 2 },
        { from: 40, everyDays: 5, users: 1, events: 1 },
      ],
      told: [
        [9, { mrr: 49.5, currency: "USD" }],
        [9, { seats: 20 }],
        [9, { plan: 1 }],
      ],
    },
    { stretches: [{ from: 4, everyDays: 2, users: 2, events: 1 }], told: [] },
  ],
  moves: [[3, 30]],
  roles: [[0, 12, 1]],
  aloneEvery: 3,
};

/** The element at a place; lists of names are as long as stories may need. */
export function at<Item>(list: readonly Item[], place: number): Item {
  const item = list[place % list.length];
  if (item === undefined) throw new Error("the list is empty");
  return item;
}

/** Its messages in the order of their moments. */
export function messagesOf({ accounts, moves, roles, aloneEvery }: Story, names: StoryNames): Fields[] {
  const made: { on: number; fields: Fields }[] = [];
  const add = (on: number, fields: Fields) => made.push({ on, fields });
  const nameOf = (number: number) => at(names.accounts, number % accounts.length);
  const loner = at(names.users, USERS - 1);

  // Who has a place in an account: the users by turns.
  for (let user = 0; user < USERS - 1; user += 1) {
    add(user % 3, { type: "group", userId: at(names.users, user), groupId: nameOf(user) });
  }
  for (const [user, on] of moves) {
    add(on, { type: "group", userId: at(names.users, user), groupId: nameOf(user + 1) });
  }
  for (const [user, on, role] of roles) {
    const traits = { role: at(names.texts, role) };
    add(on, { type: "identify", userId: at(names.users, user), context: { groupId: nameOf(user) }, traits });
  }
  add(7, { type: "identify", userId: loner, traits: { accountPlan: at(names.plans, 1), accountSeats: "3" } });

  for (let on = 0; on < DAYS; on += 1) {
    if (on % aloneEvery === 0) add(on, { type: "track", userId: loner, event: at(names.events, on) });
    for (const [number, { stretches }] of accounts.entries()) {
      const latest = stretches.filter(({ from }) => from <= on).toSorted((a, b) => a.from - b.from);
      const stretch = latest.at(-1);
      if (stretch === undefined || on % stretch.everyDays !== 0) continue;
      for (let place = 0; place < Math.max(1, stretch.users * stretch.events); place += 1) {
        const own = number + accounts.length * (place % 2);
        const who = stretch.users === 0 ? {} : { userId: at(names.users.slice(0, -1), own + (place === 2 ? 1 : 0)) };
        add(on, {
          type: "track",
          ...who,
          event: at(names.events, on + place + number),
          ...namedIn(nameOf(number), on),
        });
      }
    }
  }
  for (const [number, { told: changes }] of accounts.entries()) {
    for (const [on, change] of changes) {
      add(on, { type: "group", groupId: nameOf(number), traits: traitsOf(change, names) });
    }
  }
  const inTime = made.toSorted((a, b) => a.on - b.on);
  return inTime.map(({ on, fields }, place) => ({
    ...fields,
    messageId: `m${place}`,
    timestamp: new Date((FIRST_DAY + on) * DAY_MS + 6 * 3_600_000 + place * 1_000).toISOString(),
  }));
}

/** The places where senders name the account. */
function namedIn(name: string, number: number): Fields {
  if (number % 3 === 0) return { context: { groupId: name } };
  return number % 3 === 1 ? { properties: { accountId: name } } : { accountId: name };
}

function traitsOf(change: ToldAttribute, { plans, texts }: StoryNames): Fields {
  if ("plan" in change) return { plan: change.plan === null ? null : at(plans, change.plan) };
  if ("industry" in change) return { industry: change.industry === null ? null : at(texts, change.industry) };
  if ("trialEndsAt" in change) {
    return { trialEndsAt: new Date((TODAY + change.trialEndsAt) * DAY_MS + 43_200_000).toISOString() };
  }
  return change;
}

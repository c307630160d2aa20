/** Draws small worlds: messages of sixty days in the order of arrival, including the odd ones that senders may send. */
import type { Json } from "../../../src/core/json.ts";
import { DAY_MS } from "../../../src/core/durations.ts";
import { chance, pick, type Random, randomOf, shuffled, wholeBetween } from "../../simulator/random.ts";

/** A Wednesday, at noon. */
export const TODAY = Date.UTC(2026, 10, 18) / DAY_MS;
export const NOW = TODAY * DAY_MS + 12 * 3_600_000;
const DAYS = 60;
export const FOLDED_AT = [TODAY - 9, TODAY - 1].map((day) => day * DAY_MS + 9 * 3_600_000);

export type Attribute = "stage" | "plan" | "seats" | "mrr" | "currency" | "trialEndsAt" | "contractEndsAt";
export type Attributes = { [Name in Attribute]?: string | number | null };

export interface WorldMessage {
  id: string;
  type: "track" | "identify" | "group";
  user: string | null;
  /** The account that the message names. */
  account: string | null;
  event: string | null;
  attributes: Attributes;
  traits: Record<string, Json>;
  /** Milliseconds since the epoch. */
  at: number;
}

export interface World {
  /** Parts of the log. Each is folded at its time in `FOLDED_AT`; the last one stays in the tail. */
  parts: readonly (readonly WorldMessage[])[];
  /** Attached names, by external id. */
  companies: Readonly<Record<string, string>>;
  people: Readonly<Record<string, string>>;
}

/** Some names are words of questions, numbers, or names of another account. */
const ACCOUNTS = ["acme", "Ünïted Corp", "last week", "any", "globex", "42"] as const;
/** A company and the personal account of a user are both called 7. */
export const TWICE = "7";
const USERS = [TWICE, "ann", "the", "o'brien", "1", "events", "bob", "zoë", "carol"] as const;
export const EVENTS = ["login", "report.exported", "all", "days.7", "user.invited"] as const;

const PLANS = ["Pro", "pro", "Business", "Büsiness!", "free", null] as const;
const STAGES = ["trial", "In Trial", "paid", "active", "Cancelled", "someday", null] as const;

const ACCOUNT_TRAITS: Readonly<Record<string, readonly [Json, ...Json[]]>> = {
  industry: ["Rail", "rail", "Food & Drink", "7", null],
  tier: ["gold", 5, true, 2.5, "true", ["gold"], null],
  employees: [5, 0, 120.5, -3, "", "n/a", null],
  beta: [true, false, "yes", null],
  renewsOn: ["2026-12-01", "2026-11-18", "2026-10-31T23:30:00-03:00", "1969-07-20T20:17:00Z", "soon", null],
};
const USER_TRAITS: Readonly<Record<string, readonly [Json, ...Json[]]>> = {
  role: ["admin", "Admin", "viewer", null],
  "log.ins": [1, 2.5, 1_000, null],
  invited: [true, false, null],
  joined: ["2026-10-01", "2026-11-17T10:00:00Z", "2024-02-29", 2024, null],
};

export function worldOf(seed: string): World {
  const random = randomOf(seed);
  const accounts = [TWICE, ...shuffled(random, ACCOUNTS).slice(0, wholeBetween(random, 2, 5))] as const;
  const users = shuffled(random, USERS)
    .slice(0, wholeBetween(random, 4, USERS.length))
    .map((name) => newUser(random, name, accounts));
  const first = messageOf("group", { account: TWICE, at: NOW - DAYS * DAY_MS });
  const messages = [first, ...users.flatMap((user) => messagesOf(random, user, accounts))];
  for (let count = wholeBetween(random, 10, 40); count > 0; count -= 1)
    messages.push(ofAccount(random, pick(random, accounts)));
  const arrived = inOrderOfArrival(random, messages);
  return {
    parts: [0, 1, 2].map((part) => arrived.filter(({ on }) => partOf(on) === part).map(({ message }) => message)),
    companies: chance(random, 0.7) ? { [accounts[1] ?? TWICE]: "Acme Inc." } : {},
    people: chance(random, 0.7) ? { [users[0]?.name ?? ""]: "Ann Example" } : {},
  };
}

const partOf = (on: number): number => FOLDED_AT.filter((end) => end <= on).length;

interface WorldUser {
  name: string;
  /** The accounts that `group` messages put the user into; may include none. */
  accounts: readonly string[];
  from: number;
  to: number;
  events: readonly string[];
}

function newUser(random: Random, name: string, accounts: readonly string[]): WorldUser {
  const from = wholeBetween(random, TODAY - DAYS + 1, TODAY);
  return {
    name,
    accounts: shuffled(random, accounts).slice(0, wholeBetween(random, 0, 2)),
    from,
    to: chance(random, 0.6) ? TODAY : wholeBetween(random, from, TODAY),
    events: shuffled(random, EVENTS).slice(0, wholeBetween(random, 1, EVENTS.length)),
  };
}

let made = 0;

const messageOf = (type: WorldMessage["type"], fields: Partial<WorldMessage>): WorldMessage => ({
  id: `w${++made}`,
  type,
  user: null,
  account: null,
  event: null,
  attributes: {},
  traits: {},
  at: NOW,
  ...fields,
});

/** Times are whole hours, so that some are equal. */
const timeIn = (random: Random, from: number, to: number): number =>
  Math.min(NOW, wholeBetween(random, from, to) * DAY_MS + wholeBetween(random, 0, 23) * 3_600_000);

function messagesOf(
  random: Random,
  { name, accounts, from, to, events }: WorldUser,
  all: readonly string[],
): WorldMessage[] {
  const time = () => timeIn(random, from, to);
  const messages = accounts.map((account) => messageOf("group", { user: name, account, at: time() }));
  for (let count = wholeBetween(random, 0, 30); count > 0; count -= 1) {
    const account = chance(random, 0.15) ? (shuffled(random, all)[0] ?? null) : null;
    const event = events[Math.floor(random() * events.length)] ?? "login";
    const attributes = chance(random, 0.03) ? someAttributes(random) : {};
    messages.push(messageOf("track", { user: name, account, event, attributes, at: time() }));
  }
  for (let count = wholeBetween(random, 0, 3); count > 0; count -= 1) {
    const attributes = chance(random, 0.2) ? someAttributes(random) : {};
    messages.push(messageOf("identify", { user: name, traits: someOf(random, USER_TRAITS), attributes, at: time() }));
  }
  return messages;
}

/** Returns a message of an account without a user. */
function ofAccount(random: Random, account: string): WorldMessage {
  const at = timeIn(random, TODAY - DAYS + 1, TODAY);
  if (chance(random, 0.2)) return messageOf("track", { account, event: pick(random, EVENTS), at });
  const type = chance(random, 0.9) ? "group" : "identify";
  return messageOf(type, { account, attributes: someAttributes(random), traits: someOf(random, ACCOUNT_TRAITS), at });
}

function someAttributes(random: Random): Attributes {
  const all: Attributes = {
    stage: pick(random, STAGES),
    plan: pick(random, PLANS),
    seats: pick(random, [1, 5, 20, 0, null]),
    mrr: pick(random, [0, 49.5, 100, 1_200, 1e308, null]),
    currency: pick(random, ["USD", "EUR", "JPY", null]),
    trialEndsAt: pick(random, [new Date(timeIn(random, TODAY - 9, TODAY) + 9 * DAY_MS).toISOString(), null]),
    contractEndsAt: pick(random, ["2026-12-31T00:00:00.000Z", "2026-11-01T23:30:00.000Z", null]),
  };
  return Object.fromEntries(Object.entries(all).filter(() => chance(random, 0.35)));
}

const someOf = (random: Random, traits: Readonly<Record<string, readonly [Json, ...Json[]]>>): Record<string, Json> =>
  Object.fromEntries(
    Object.entries(traits).flatMap(([key, values]) => (chance(random, 0.4) ? [[key, pick(random, values)]] : [])),
  );

/** Most messages arrive immediately, some days later; in some worlds all arrive together. The first one stays first. */
function inOrderOfArrival(random: Random, messages: readonly WorldMessage[]) {
  const atOnce = chance(random, 0.2) ? pick(random, [NOW, ...FOLDED_AT]) : 0;
  return messages
    .map((message, index) => {
      const isLate = index > 0 && chance(random, 0.1);
      return {
        message,
        on: Math.max(atOnce, isLate ? timeIn(random, Math.floor(message.at / DAY_MS), TODAY) : message.at),
      };
    })
    .toSorted((a, b) => a.on - b.on);
}

const SENT_AS: Readonly<Record<string, string>> = {
  stage: "accountStage",
  plan: "accountPlan",
  seats: "accountSeats",
  mrr: "accountMrr",
  currency: "accountCurrency",
  contractEndsAt: "accountContractEndsAt",
};

/** Returns the message as a sender posts it. */
export function bodyOf(message: WorldMessage): Record<string, unknown> {
  const { type, account, event, attributes } = message;
  const sent = Object.entries(attributes).map(([name, value]) => [SENT_AS[name] ?? name, value]);
  return {
    type,
    messageId: message.id,
    timestamp: new Date(message.at).toISOString(),
    userId: message.user,
    ...(type === "group" ? { groupId: account } : { context: { groupId: account } }),
    ...(event !== null && { event }),
    [type === "track" ? "properties" : "traits"]: { ...message.traits, ...Object.fromEntries(sent) },
  };
}

/**
 * Generates messages from the workspace, the name space and their number. Nobody has to remember them: the sender
 * generates a duplicate again, and the account knows what the log must hold.
 */
import { DAY_MS } from "../../src/core/durations.ts";
import { between, chance, pick, type Random, randomOf, wholeBetween } from "../../evals/simulator/random.ts";

export const SOURCES = ["cdp", "native"] as const;
/** Each is a name space of message ids. Both use the same ids, in all workspaces. */
export type Source = (typeof SOURCES)[number];

type EventName = readonly [written: string, stored: string];

export const ACCOUNTS = 12;
export const USERS = 60;
/** Event names as senders write them, and as the service stores them. */
const EVENTS: readonly [EventName, ...EventName[]] = [
  ["Report Exported", "report.exported"],
  ["boardShared", "board.shared"],
  ["member-invited", "member.invited"],
  ["Filter Applied", "filter.applied"],
  ["APIKey Rotated", "api.key.rotated"],
  ["login", "login"],
];
const OTHER_TYPES = ["identify", "group"] as const;
const PLANS = ["free", "team", "business"] as const;
const OLDEST_DAYS = 60;

export interface Content {
  type: "track" | "identify" | "group";
  userId: string | null;
  /** `null` if the message names none. */
  accountId: string | null;
  /** As stored; `null` unless the message is a `track`. */
  event: string | null;
  /** Milliseconds since the epoch. */
  occurredAt: number;
  /** Draws the properties. */
  random: Random;
}

export interface World {
  /** Name of the workspace in this run. */
  workspace: string;
  /** When the run began, in milliseconds. Every event happened before. */
  epoch: number;
}

export const messageIdOf = (number: number): string => `m-${number}`;

export function contentOf({ workspace, epoch }: World, source: Source, number: number): Content {
  const random = randomOf(`${workspace}/${source}/${number}`);
  const type = source === "native" || chance(random, 0.88) ? "track" : pick(random, OTHER_TYPES);
  const user = wholeBetween(random, 0, USERS - 1);
  const ownAccount = user % ACCOUNTS;
  const account = chance(random, 0.95) ? ownAccount : wholeBetween(random, 0, ACCOUNTS - 1);
  const namesAccount = source === "native" || type === "group" || chance(random, 0.7);
  const namesUser = source === "native" || !namesAccount || chance(random, 0.95);
  // Half of the events just happened; the others arrive late.
  const ageMs = between(random, 0, chance(random, 0.5) ? DAY_MS / 24 : OLDEST_DAYS * DAY_MS);
  return {
    type,
    userId: namesUser ? `user-${user}` : null,
    accountId: namesAccount ? `account-${account}` : null,
    event: type === "track" ? pick(random, EVENTS)[1] : null,
    occurredAt: Math.floor(epoch - ageMs),
    random,
  };
}

/** The body of a native capture. */
export function captureBody({ userId, accountId, event, occurredAt, random }: Content): object {
  const attributes = chance(random, 0.1) ? { accountPlan: pick(random, PLANS), accountSeats: 5 } : {};
  const timestamp = new Date(occurredAt).toISOString();
  return { userId, accountId, event, timestamp, properties: properties(random), ...attributes };
}

/** A message for the compatibility path. */
export function cdpMessage(content: Content, messageId: string): object {
  const { type, userId, accountId, occurredAt, random } = content;
  const timestamp = new Date(occurredAt).toISOString();
  const common = { type, messageId, timestamp, ...(userId === null ? {} : { userId }) };
  const account = accountId === null ? {} : { accountId };
  switch (type) {
    case "track": {
      const [written] = EVENTS.find(([, mapped]) => mapped === content.event) ?? [content.event];
      return { ...common, event: written, properties: { ...properties(random), ...account } };
    }
    case "identify":
      return {
        ...common,
        traits: { theme: pick(random, ["dark", "light"]), visits: wholeBetween(random, 1, 99), ...account },
      };
    case "group":
      return {
        ...common,
        groupId: accountId,
        traits: { plan: pick(random, PLANS), seats: 10, mrr: 49 * wholeBetween(random, 1, 20) },
      };
  }
}

const properties = (random: Random): object => ({
  format: pick(random, ["pdf", "csv", "xlsx"]),
  pages: wholeBetween(random, 1, 40),
  source: "dashboard",
});

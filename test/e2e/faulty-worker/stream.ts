/** A stream of messages, and what has to stand in the database once all of them have arrived, each once. */
import type { Group, Identify, Track } from "../senders/sender.ts";

const COMPANIES = 40;
const USERS = 200;
/** Identifies of each user: the last one's trait stands. */
const ROUNDS = 3;
const HOUR_MS = 3_600_000;

/** An account is told as `kind:externalId`. */
export interface StoredMessage {
  messageId: string;
  type: string;
  user: string;
  account: string;
}

type Sent<Message> = Message & { messageId: string };

export interface Stream {
  /** They have to arrive first: the accounts of the others follow from them. */
  groups: Sent<Group>[];
  identifies: Sent<Identify>[];
  tracks: Sent<Track>[];
  /** In the order of their ids. */
  stored: StoredMessage[];
  /** By user. */
  accounts: Record<string, string>;
  /** The last round of each user's identifies, by user. */
  rounds: Record<string, number>;
}

const userId = (n: number): string => `user-${String(n % USERS).padStart(3, "0")}`;
const company = (n: number): string => `company-${n % COMPANIES}`;

const told = (type: string, { messageId, userId: user }: Sent<{ userId: string }>, account: string): StoredMessage => {
  return { messageId, type, user, account: `company:${account}` };
};

/** @param size messages of all types */
export function streamOf(size: number, start: number): Stream {
  const users = Array.from({ length: USERS }, (_, n) => n);
  const timestamp = (hours: number) => new Date(start + hours * HOUR_MS);
  const groups = users.map((n) => {
    const message = { userId: userId(n), groupId: company(n), traits: { plan: "pro" }, timestamp: timestamp(0) };
    return { ...message, messageId: `group-${n}` };
  });
  const identifies = Array.from({ length: USERS * ROUNDS }, (_, n) => {
    const round = Math.floor(n / USERS);
    return { userId: userId(n), traits: { round }, timestamp: timestamp(round), messageId: `identify-${n}` };
  });
  // Every third names a partner; the others are of the account that the user was grouped into.
  const tracks = Array.from({ length: size - groups.length - identifies.length }, (_, n) => {
    const message = { userId: userId(n), event: "Report Exported", properties: { n }, timestamp: timestamp(1) };
    const named = n % 3 === 0 ? { context: { groupId: `partner-${n % 7}` } } : {};
    return { ...message, ...named, messageId: `track-${n}` };
  });
  const ofUser = (n: number) => company(n % USERS);
  const stored = [
    ...groups.map((one, n) => told("group", one, company(n))),
    ...identifies.map((one, n) => told("identify", one, ofUser(n))),
    ...tracks.map((one, n) => told("track", one, one.context?.groupId ?? ofUser(n))),
  ];
  return {
    groups,
    identifies,
    tracks,
    stored: stored.toSorted((a, b) => (a.messageId < b.messageId ? -1 : 1)),
    accounts: Object.fromEntries(users.map((n) => [userId(n), `company:${company(n)}`])),
    rounds: Object.fromEntries(users.map((n) => [userId(n), ROUNDS - 1])),
  };
}

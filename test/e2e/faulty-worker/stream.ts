/** Creates a stream of messages, and the rows that the database must have once each of them is stored once. */
import type { Group, Identify, Track } from "../senders/sender.ts";

const COMPANIES = 40;
const USERS = 200;
/** Identifies per user: the trait of the last one wins. */
const ROUNDS = 3;
const HOUR_MS = 3_600_000;

/** `account` is `kind:externalId`. */
export interface StoredMessage {
  messageId: string;
  type: string;
  user: string;
  account: string;
}

type Sent<Message> = Message & { messageId: string };

export interface Stream {
  /** Must arrive first: they decide the accounts of the others. */
  groups: Sent<Group>[];
  identifies: Sent<Identify>[];
  tracks: Sent<Track>[];
  /** Ordered by id. */
  stored: StoredMessage[];
  /** By user. */
  accounts: Record<string, string>;
  /** The last round of identifies, by user. */
  rounds: Record<string, number>;
}

const userId = (n: number): string => `user-${String(n % USERS).padStart(3, "0")}`;
const company = (n: number): string => `company-${n % COMPANIES}`;

const storedAs = (
  type: string,
  { messageId, userId: user }: Sent<{ userId: string }>,
  account: string,
): StoredMessage => {
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
  // Every third names a partner as its account; the others belong to the account that the user was grouped into.
  const tracks = Array.from({ length: size - groups.length - identifies.length }, (_, n) => {
    const message = { userId: userId(n), event: "Report Exported", properties: { n }, timestamp: timestamp(1) };
    const named = n % 3 === 0 ? { context: { groupId: `partner-${n % 7}` } } : {};
    return { ...message, ...named, messageId: `track-${n}` };
  });
  const ofUser = (n: number) => company(n % USERS);
  const stored = [
    ...groups.map((one, n) => storedAs("group", one, company(n))),
    ...identifies.map((one, n) => storedAs("identify", one, ofUser(n))),
    ...tracks.map((one, n) => storedAs("track", one, one.context?.groupId ?? ofUser(n))),
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

/**
 * A naive ingest in memory, message by message. The property tests compare the
 * SQL with it.
 */
import type { Message, Rejection, Source } from "../../../src/core/ingest/message.ts";

type Decided = [value: unknown, occurredAt: number, seq: number];

interface NaiveUser {
  account: string | null;
  via: "group" | "implied" | "solo" | null;
  grouped: [occurredAt: number, seq: number] | null;
  pending: Map<string, Decided>;
}

export interface Snapshot {
  log: {
    n: number;
    source: string;
    messageId: string;
    type: string;
    account: string | null;
    user: string | null;
    event: string | null;
    properties: unknown;
    occurredAt: number;
    mapping: unknown;
  }[];
  accounts: Record<string, Record<string, Decided>>;
  users: Record<string, { account: string | null; via: string | null; pending: Record<string, Decided> }>;
  memberships: Record<string, [occurredAt: number, seq: number]>;
  traits: Record<string, Decided>;
  /** The kept rejections, and the count of all by code. */
  rejections: { n: number; code: string; messageId: string | null; userId: string | null }[];
  rejected: Record<string, number>;
}

/** Keys name accounts by kind: `company:7` is not `solo:7`. */
export class NaiveIngest {
  readonly #seen = new Set<string>();
  readonly #log: Snapshot["log"] = [];
  readonly #accounts = new Map<string, Map<string, Decided>>();
  readonly #users = new Map<string, NaiveUser>();
  readonly #memberships = new Map<string, [number, number]>();
  readonly #traits = new Map<string, Decided>();
  readonly #rejections: Snapshot["rejections"] = [];
  readonly #rejected: Snapshot["rejected"] = {};

  /** @returns false for a duplicate */
  take(source: Source, message: Message): boolean {
    const id = `${source}:${message.messageId}`;
    if (this.#seen.has(id)) return false;
    this.#seen.add(id);
    const { type, messageId, event, properties, occurredAt, mapping } = message;
    const n = this.#log.length + 1;

    const user = message.userId === null ? null : this.#user(message.userId);
    const named = message.accountId === null ? null : `company:${message.accountId}`;
    const account =
      named ?? user?.account ?? (type === "track" && message.userId !== null ? `solo:${message.userId}` : null);
    const attributes = account === null ? user?.pending : this.#account(account);
    this.#log.push({
      n,
      source,
      messageId,
      type,
      account,
      user: message.userId,
      event,
      properties,
      occurredAt,
      mapping,
    });

    if (account !== null && user?.account === null) {
      for (const [name, decided] of user.pending) advance(this.#account(account), name, decided);
      user.pending.clear();
    }
    for (const [name, value] of Object.entries(message.attributes ?? {})) {
      if (attributes) advance(attributes, name, [value, occurredAt, n]);
    }
    for (const [key, value] of Object.entries(message.traits ?? {})) {
      advance(this.#traits, `user:${message.userId} ${key}`, [value, occurredAt, n]);
    }
    for (const [key, value] of Object.entries(message.accountTraits ?? {})) {
      advance(this.#traits, `${account} ${key}`, [value, occurredAt, n]);
    }

    if (user === null || account === null) return true;
    if (type === "group") {
      const membership = `${message.userId} ${account}`;
      const before = this.#memberships.get(membership);
      if (!before || later([occurredAt, n], before)) this.#memberships.set(membership, [occurredAt, n]);
      if (user.via !== "group" || user.grouped === null || later([occurredAt, n], user.grouped)) {
        Object.assign(user, { account, via: "group", grouped: [occurredAt, n] });
      }
    } else if (user.account === null || (user.via === "solo" && named !== null)) {
      Object.assign(user, { account, via: named === null ? "solo" : "implied" });
    }
    return true;
  }

  /** Returns the account and user that the last message had the first time. */
  answerTo(source: Source, messages: readonly Message[]): { account: object | null; user: object | null } {
    const id = messages.at(-1)?.messageId;
    const stored = this.#log.find((row) => row.source === source && row.messageId === id);
    return { account: refTo(stored?.account?.replace(/^\w+:/, "")), user: refTo(stored?.user) };
  }

  reject({ code, kept }: Rejection): void {
    this.#rejected[code] = (this.#rejected[code] ?? 0) + 1;
    if (kept === null) return;
    const { messageId, userId } = kept;
    this.#rejections.push({ n: this.#rejections.length + 1, code, messageId, userId });
  }

  snapshot(): Snapshot {
    return {
      log: this.#log,
      accounts: Object.fromEntries(
        [...this.#accounts].map(([key, attributes]) => [key, Object.fromEntries(attributes)]),
      ),
      users: Object.fromEntries(
        [...this.#users].map(([key, { account, via, pending }]) => [
          key,
          { account, via, pending: Object.fromEntries(pending) },
        ]),
      ),
      memberships: Object.fromEntries(this.#memberships),
      traits: Object.fromEntries(this.#traits),
      rejections: this.#rejections,
      rejected: this.#rejected,
    };
  }

  #user(externalId: string): NaiveUser {
    const user = this.#users.get(externalId) ?? { account: null, via: null, grouped: null, pending: new Map() };
    this.#users.set(externalId, user);
    return user;
  }

  #account(key: string): Map<string, Decided> {
    const attributes = this.#accounts.get(key) ?? new Map<string, Decided>();
    this.#accounts.set(key, attributes);
    return attributes;
  }
}

const refTo = (externalId: string | null | undefined) => (externalId == null ? null : { externalId });

const later = (a: [number, number], b: [number, number]): boolean => a[0] > b[0] || (a[0] === b[0] && a[1] > b[1]);

function advance(into: Map<string, Decided>, key: string, decided: Decided): void {
  const before = into.get(key);
  if (!before || later([decided[1], decided[2]], [before[1], before[2]])) into.set(key, decided);
}

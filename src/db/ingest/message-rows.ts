/** Messages and rejections as the JSON rows that the statements of the ingest transaction read. */
import type { Message, Rejection } from "../../core/ingest/message.ts";
import type { Json } from "../../core/json.ts";
import { packMapping } from "./stored-mapping.ts";

/** D1 takes values of up to 2 MB; the local one does not check. */
const MAX_PARAMETER_BYTES = 1_900_000;

/** The parameters of one run of the transaction's statements; "" where a statement has nothing to do. */
export interface IngestRows {
  /** Whether there is more than one message. */
  many: boolean;
  /** Whether messages depend on earlier ones of the same user. */
  ordered: boolean;
  /** Whether there is a track that names no account. */
  mayNeedAccountsOfOne: boolean;
  /** For the append: all there is to store. */
  full: string;
  /** Without what is only stored; of all messages, of those with attributes, and so on. */
  heads: string;
  /** Of many messages their ids by the account or user that they name, `{"acme": "m1", "umbrella": ["m2", "m3"]}`; of one its head. */
  accounts: string;
  users: string;
  /** Of many messages their heads by user, `{"u1": [head…]…}`; of one its head. */
  byUser: string;
  /** Group messages with a user, and traits: the latest first. */
  groups: string;
  traits: string;
  /** Messages with account attributes. */
  attributed: string;
  /** Of these, identifies that name no account. */
  mayBePending: string;
}

/**
 * The rows of distinct messages, in as many parts as D1's limit on a value makes necessary: mostly one. Parts run one
 * after the other in the same transaction, which stores the same as one part would.
 */
export function ingestRows(messages: Message[]): IngestRows[] {
  const many = messages.length > 1;
  const order = positionsByTime(messages);
  const ranks: number[] = [];
  for (const [rank, position] of order.entries()) ranks[position] = rank;
  const entries = messages.map((message, position) => ({ message, head: headRow(message, position, ranks) }));
  const latestFirst = order.toReversed().flatMap((position) => entries[position] ?? []);

  const text = (rows: Json[]): string => (rows.length === 0 ? "" : JSON.stringify(many ? rows : rows[0]));
  const heads = text(entries.map(({ head }) => head));
  const headsOf = (which: (message: Message) => boolean, from = entries): string => {
    const chosen = from.filter(({ message }) => which(message));
    return from === entries && chosen.length === entries.length ? heads : text(chosen.map(({ head }) => head));
  };

  const full = text(entries.map(({ message, head }) => [...head, ...whatIsOnlyStored(message)]));
  const traits = text(latestFirst.flatMap(({ message }) => traitRows(message)));
  if (many && !(fits(full) && fits(traits))) {
    const half = messages.length >> 1;
    return [...ingestRows(messages.slice(0, half)), ...ingestRows(messages.slice(half))];
  }
  return [
    {
      many,
      ordered: dependsOnOrder(messages),
      mayNeedAccountsOfOne: messages.some(({ type, accountId }) => type === "track" && accountId === null),
      full,
      traits,
      heads,
      accounts: many ? idsByName(messages, "accountId") : headsOf(({ accountId }) => accountId !== null),
      users: many ? idsByName(messages, "userId") : headsOf(({ userId }) => userId !== null),
      byUser: many ? headsByUser(entries) : headsOf(({ userId }) => userId !== null),
      groups: headsOf(({ type, userId }) => type === "group" && userId !== null, latestFirst),
      attributed: headsOf(({ attributes }) => attributes !== null),
      mayBePending: headsOf(
        ({ type, accountId, attributes }) => attributes !== null && type === "identify" && accountId === null,
      ),
    },
  ];
}

function idsByName(messages: Message[], name: "accountId" | "userId"): string {
  const named = Map.groupBy(messages, (message) => message[name]);
  return byName(named, (ofName) => {
    const [id = null, ...more] = ofName.map(({ messageId }) => messageId);
    return more.length === 0 ? id : [id, ...more];
  });
}

function headsByUser(entries: { message: Message; head: Json[] }[]): string {
  const named = Map.groupBy(entries, ({ message }) => message.userId);
  return byName(named, (ofName) => ofName.map(({ head }) => head));
}

function byName<T>(named: Map<string | null, T[]>, tell: (ofName: T[]) => Json): string {
  named.delete(null);
  if (named.size === 0) return "";
  return JSON.stringify(Object.fromEntries(Array.from(named, ([name, ofName]) => [name, tell(ofName)])));
}

function headRow({ messageId, type, userId, accountId }: Message, position: number, ranks: number[]): Json[] {
  return [position, messageId, type, userId, accountId, ranks[position] ?? 0];
}

function whatIsOnlyStored({ occurredAt, event, attributes, properties, mapping }: Message): Json[] {
  return [occurredAt, event, attributes && { ...attributes }, properties, packMapping(mapping)];
}

/** True when a message without an account follows one of the same user that may settle where the user belongs. */
function dependsOnOrder(messages: Message[]): boolean {
  const settled = new Set<string>();
  const tracked = new Set<string>();
  for (const { type, userId, accountId } of messages) {
    if (userId === null) continue;
    if (accountId !== null) settled.add(userId);
    else if (settled.has(userId) || (type === "identify" && tracked.has(userId))) return true;
    else if (type === "track") tracked.add(userId);
  }
  return false;
}

/** `[[code, count]…]` */
export function rejectionCountRows(rejections: readonly Rejection[]): string {
  const counts = new Map<string, number>();
  for (const { code } of rejections) counts.set(code, (counts.get(code) ?? 0) + 1);
  return JSON.stringify([...counts]);
}

/** The rows of those that are kept, in as many parts as D1's limit on a value makes necessary. */
export function rejectionRows(rejections: readonly Rejection[]): string[] {
  const rows = rejections.flatMap(({ code, message, path, kept }) => {
    if (kept === null) return [];
    const { type, messageId, userId, accountId, event, properties, traits } = kept;
    return [[code, message, path, type, messageId, userId, accountId, event, properties, traits]];
  });
  return rows.length === 0 ? [] : inParts(rows);
}

function inParts(rows: Json[]): string[] {
  const text = JSON.stringify(rows);
  if (rows.length === 1 || fits(text)) return [text];
  const half = rows.length >> 1;
  return [...inParts(rows.slice(0, half)), ...inParts(rows.slice(half))];
}

/** The positions of the messages in the order of occurredAt; the earlier arrival first where they tie. */
function positionsByTime(messages: Message[]): number[] {
  const order = messages.map(({ occurredAt }, position) => ({ occurredAt, position }));
  order.sort((a, b) => a.occurredAt - b.occurredAt || a.position - b.position);
  return order.map(({ position }) => position);
}

/** Values as JSON text, so that SQL stores them to the letter; `null` marks a removal. */
function traitRows({ messageId, traits }: Message): Json[] {
  if (traits === null) return [];
  const entries = Object.entries(traits).map(([key, value]) => [key, value === null ? null : JSON.stringify(value)]);
  return [[null, messageId, entries]];
}

function fits(text: string): boolean {
  return text.length * 3 <= MAX_PARAMETER_BYTES || new TextEncoder().encode(text).byteLength <= MAX_PARAMETER_BYTES;
}

/** Builds the JSON rows that the statements of the ingest transaction read. */
import type { Message, Rejection } from "../../core/ingest/message.ts";
import type { Json, JsonObject } from "../../core/json.ts";
import { jsonParts } from "../client/run-statements.ts";
import { packMapping } from "./stored-mapping.ts";

/** D1 accepts values of up to 2 MB. The local D1 doesn't enforce this. */
const MAX_PARAMETER_BYTES = 1_900_000;

/** Marks traits of the message's account. Others are its user's. */
const OF_ACCOUNT = 1;

/** The parameters of one run of the transaction's statements. "" means that a statement has nothing to do. */
export interface IngestRows {
  /** Some messages depend on earlier ones of the same user. */
  ordered: boolean;
  /** Some track names no account. */
  mayNeedPersonalAccounts: boolean;
  /** Everything to store. Other rows are heads: the fields that decisions depend on, without those that are only stored. */
  full: string;
  /** Message ids by the account or user that they name, `{"acme": "m1", "umbrella": ["m2", "m3"]}`. */
  accounts: string;
  users: string;
  /** Heads by user, `{"u1": [head…]…}`. */
  byUser: string;
  /** Group messages with a user, and traits; the latest first. */
  groups: string;
  traits: string;
  /** Messages with account attributes. */
  attributed: string;
  /** Those among them that are identifies without an account. */
  mayBePending: string;
}

/**
 * Builds the rows of distinct messages, in as many parts as D1's limit on a value requires: usually one. The parts run
 * one after the other in the same transaction and store the same as one part would.
 */
export function ingestRows(messages: Message[]): IngestRows[] {
  // Sorting keeps the order of arrival among messages of the same time.
  const byTime = messages.toSorted((a, b) => a.occurredAt - b.occurredAt);
  const ranks = new Map(byTime.map((message, rank) => [message, rank]));
  const entries = messages.map((message, position) => ({ message, head: headRow(message, position, ranks) }));
  const latestFirst = entries.toReversed().toSorted((a, b) => b.message.occurredAt - a.message.occurredAt);

  const headsOf = (which: (message: Message) => boolean, from = entries): string =>
    rowsText(from.filter(({ message }) => which(message)).map(({ head }) => head));

  const full = rowsText(entries.map(({ message, head }) => [...head, ...storedFields(message)]));
  const traits = rowsText(latestFirst.flatMap(({ message }) => traitRows(message)));
  if (messages.length > 1 && !(fits(full) && fits(traits))) {
    const half = messages.length >> 1;
    return [...ingestRows(messages.slice(0, half)), ...ingestRows(messages.slice(half))];
  }
  return [
    {
      ordered: dependsOnOrder(messages),
      mayNeedPersonalAccounts: messages.some(({ type, accountId }) => type === "track" && accountId === null),
      full,
      traits,
      accounts: idsByName(messages, "accountId"),
      users: idsByName(messages, "userId"),
      byUser: headsByUser(entries),
      groups: headsOf(({ type, userId }) => type === "group" && userId !== null, latestFirst),
      attributed: headsOf(({ attributes }) => attributes !== null),
      mayBePending: headsOf(
        ({ type, accountId, attributes }) => attributes !== null && type === "identify" && accountId === null,
      ),
    },
  ];
}

const rowsText = (rows: Json[]): string => (rows.length === 0 ? "" : JSON.stringify(rows));

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

function byName<T>(named: Map<string | null, T[]>, rowOf: (ofName: T[]) => Json): string {
  named.delete(null);
  if (named.size === 0) return "";
  return JSON.stringify(Object.fromEntries(Array.from(named, ([name, ofName]) => [name, rowOf(ofName)])));
}

function headRow(message: Message, position: number, ranks: ReadonlyMap<Message, number>): Json[] {
  const { messageId, type, userId, accountId } = message;
  return [position, messageId, type, userId, accountId, ranks.get(message) ?? 0];
}

function storedFields({ occurredAt, event, attributes, properties, mapping }: Message): Json[] {
  return [occurredAt, event, attributes && { ...attributes }, properties, packMapping(mapping)];
}

/** Whether a message without an account follows one of the same user that may decide the user's account. */
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
  const byCode = Map.groupBy(rejections, ({ code }) => code);
  return JSON.stringify(Array.from(byCode, ([code, found]) => [code, found.length]));
}

/** Builds the rows of kept rejections, in as many parts as D1's limit on a value requires. */
export function rejectionRows(rejections: readonly Rejection[]): string[] {
  const rows = rejections.flatMap(({ code, message, path, kept }) => {
    if (kept === null) return [];
    const { type, messageId, userId, accountId, event, properties, traits } = kept;
    return [[code, message, path, type, messageId, userId, accountId, event, properties, traits]];
  });
  return jsonParts(rows);
}

function traitRows({ messageId, traits, accountTraits }: Message): Json[] {
  const rows: Json[] = [];
  if (traits !== null) rows.push([null, messageId, traitEntries(traits)]);
  if (accountTraits !== null) rows.push([null, messageId, traitEntries(accountTraits), OF_ACCOUNT]);
  return rows;
}

/** Writes values as JSON text, so that SQL stores them unchanged. `null` marks a removal. */
const traitEntries = (traits: JsonObject): Json[] =>
  Object.entries(traits).map(([key, value]) => [key, value === null ? null : JSON.stringify(value)]);

function fits(text: string): boolean {
  return text.length * 3 <= MAX_PARAMETER_BYTES || new TextEncoder().encode(text).byteLength <= MAX_PARAMETER_BYTES;
}

/** Messages and rejections as the JSON rows that the statements of the ingest transaction read. */
import type { Message, Rejection } from "../core/ingest/message.ts";
import type { Json } from "../core/json.ts";

/** D1 takes values of up to 2 MB; the local one does not check. */
const MAX_PARAMETER_BYTES = 1_900_000;

/** The parameters of one run of the transaction's statements; "" where a statement has nothing to do. */
export interface IngestRows {
  /** Whether there is more than one message. */
  many: boolean;
  /** Whether messages depend on earlier ones of the same user. */
  ordered: boolean;
  /** For the append: all there is to store. */
  full: string;
  /** Without what is only stored; of all messages, of those that name a user, and so on. */
  heads: string;
  ofUsers: string;
  namingAccounts: string;
  tracksWithoutAccount: string;
  /** Group messages with a user, and traits: the latest first. */
  groups: string;
  traits: string;
  /** Messages with account attributes. */
  attributed: string;
  /** Of these, identifies that name no account. */
  mayWait: string;
}

type Row = Json[];

/**
 * The rows of distinct messages, in as many parts as D1's limit on a value makes necessary: mostly one. Parts run one
 * after the other in the same transaction, which stores the same as one part would.
 */
export function ingestRows(messages: Message[]): IngestRows[] {
  const many = messages.length > 1;
  const ranks = ranksByTime(messages);
  const entries = messages.map((message, position) => ({ message, rank: ranks[position] ?? 0, head: headRow(message, position, ranks[position] ?? 0) }));
  const latestFirst = many ? entries.toSorted((a, b) => b.rank - a.rank) : entries;

  type Entry = (typeof entries)[number];
  const rows = (from: Entry[], of: (message: Message) => boolean, row = ({ head }: Entry): Row => head): string => {
    const chosen = from.filter(({ message }) => of(message)).map(row);
    return chosen.length === 0 ? "" : JSON.stringify(many ? chosen : chosen[0]);
  };
  const full = rows(entries, () => true, ({ message, head }) => [
    ...head,
    message.occurredAt,
    message.event,
    message.attributes && { ...message.attributes },
    message.properties,
  ]);
  const traits = rows(
    latestFirst,
    (message) => message.traits !== null,
    ({ message, head }) => [head[0] ?? 0, message.messageId, traitEntries(message)],
  );
  if (many && !(fits(full) && fits(traits))) {
    const half = messages.length >> 1;
    return [...ingestRows(messages.slice(0, half)), ...ingestRows(messages.slice(half))];
  }
  return [
    {
      many,
      ordered: dependsOnOrder(messages),
      full,
      traits,
      heads: rows(entries, () => true),
      ofUsers: rows(entries, ({ userId }) => userId !== null),
      namingAccounts: rows(entries, ({ accountId }) => accountId !== null),
      tracksWithoutAccount: rows(entries, ({ type, accountId }) => type === "track" && accountId === null),
      groups: rows(latestFirst, ({ type, userId }) => type === "group" && userId !== null),
      attributed: rows(entries, ({ attributes }) => attributes !== null),
      mayWait: rows(entries, ({ type, accountId, attributes }) => attributes !== null && type === "identify" && accountId === null),
    },
  ];
}

function headRow({ messageId, type, userId, accountId }: Message, position: number, rank: number): Row {
  return [position, messageId, type, userId, accountId, rank];
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
export function rejectionCountRows(rejections: Rejection[]): string {
  const counts = new Map<string, number>();
  for (const { code } of rejections) counts.set(code, (counts.get(code) ?? 0) + 1);
  return JSON.stringify([...counts]);
}

/** The rows of those that are kept. */
export function rejectionRows(rejections: Rejection[]): string {
  return JSON.stringify(
    rejections.flatMap(({ code, message, path, kept }) =>
      kept === null
        ? []
        : [[code, message, path, kept.type, kept.messageId, kept.userId, kept.accountId, kept.event, kept.properties, kept.traits]],
    ),
  );
}

/** Each message's place in the order of occurredAt; the earlier arrival first where they tie. */
function ranksByTime(messages: Message[]): number[] {
  const order = messages.map((message, position) => ({ position, at: message.occurredAt }));
  order.sort((a, b) => a.at - b.at || a.position - b.position);
  const ranks: number[] = [];
  for (const [rank, { position }] of order.entries()) ranks[position] = rank;
  return ranks;
}

/** Values as JSON text, so that SQL stores them to the letter; `null` marks a removal. */
function traitEntries({ traits }: Message): Json[] {
  return Object.entries(traits ?? {}).map(([key, value]) => [key, value === null ? null : JSON.stringify(value)]);
}

function fits(text: string): boolean {
  return text.length * 3 <= MAX_PARAMETER_BYTES || new TextEncoder().encode(text).byteLength <= MAX_PARAMETER_BYTES;
}

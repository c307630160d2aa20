/**
 * Writes and reads messages as Parquet. The same messages always become the same bytes, so that an interrupted step can be
 * repeated. The file's metadata, which most readers ignore, has the numbers of the users: an erasure finds a person's
 * messages by number, because the external id is erased first. They are in the order in which the ids appear, unless two
 * users share an id: a live one may have the internal id of an erased one.
 */
import { type ColumnSource, parquetWriteBuffer } from "hyparquet-writer";
import { parquetMetadata, parquetReadObjects, type SchemaElement } from "hyparquet";
import { DEFAULT_PARSERS } from "hyparquet/src/convert.js";
import * as z from "zod";

import { type ArchivedMessage, archivedMessage } from "../core/archive/message.ts";

type Kind = "text" | "json" | "time";

/** The columns of a file, and the fields of an exported line: docs/wire.md §17. */
const COLUMNS = [
  ["message_id", "messageId", "text"],
  ["type", "type", "text"],
  ["source", "source", "text"],
  ["account_id", "accountId", "text"],
  ["account_kind", "accountKind", "text"],
  ["user_id", "userId", "text"],
  ["event", "event", "text"],
  ["properties", "properties", "json"],
  ["attributes", "attributes", "json"],
  ["occurred_at", "occurredAt", "time"],
  ["received_at", "receivedAt", "time"],
] as const satisfies readonly (readonly [string, keyof ArchivedMessage, Kind])[];

const REQUIRED: ReadonlySet<string> = new Set(["message_id", "type", "source", "occurred_at", "received_at"]);

const ELEMENTS = {
  text: { type: "BYTE_ARRAY", converted_type: "UTF8" },
  json: { type: "BYTE_ARRAY", converted_type: "JSON" },
  time: { type: "INT64", converted_type: "TIMESTAMP_MILLIS" },
} as const satisfies Record<Kind, Partial<SchemaElement>>;

const SCHEMA: SchemaElement[] = [
  { name: "messages", num_children: COLUMNS.length },
  ...COLUMNS.map(([name, , kind]): SchemaElement => ({
    name,
    ...ELEMENTS[kind],
    repetition_type: REQUIRED.has(name) ? "REQUIRED" : "OPTIONAL",
  })),
];

const USERS = "users";
/** A number for each message. */
const USERS_OF_MESSAGES = "message_users";

const toStored: Readonly<Record<Kind, (value: string | number) => unknown>> = {
  text: (value) => value,
  // Without a prototype, the library leaves the object and its keys as they are.
  json: (value) => Object.assign(Object.create(null), JSON.parse(String(value))),
  time: (value) => BigInt(value),
};

/** Writes a file with at least one message. */
export function writeParquet(messages: readonly ArchivedMessage[]): ArrayBuffer {
  const columnData = COLUMNS.map(([name, field, kind]): ColumnSource => {
    const data = messages.map((message) => {
      const value = message[field];
      return value === null ? null : toStored[kind](value);
    });
    // The range of JSON texts is of no use to readers.
    return { name, data, statistics: kind !== "json" };
  });
  const users = new Map(messages.map(({ userId, user }) => [userId, user]));
  const isShared = messages.some(({ userId, user }) => users.get(userId) !== user);
  const numbers = isShared ? messages.map(({ user }) => user) : [...users.values()];
  const kvMetadata = [{ key: isShared ? USERS_OF_MESSAGES : USERS, value: JSON.stringify(numbers) }];
  return parquetWriteBuffer({ columnData, schema: SCHEMA, kvMetadata });
}

const decoder = new TextDecoder();
const PARSERS = {
  ...DEFAULT_PARSERS,
  jsonFromBytes: (bytes: Uint8Array | undefined) => bytes && decoder.decode(bytes),
  timestampFromMilliseconds: Number,
};

/** Reads a file of {@link writeParquet}, in its order. @throws Error when the bytes aren't such a file */
export async function readParquet(file: ArrayBuffer): Promise<ArchivedMessage[]> {
  const metadata = parquetMetadata(file);
  const numbersOf = (key: string) =>
    metadata.key_value_metadata?.flatMap((stored) =>
      stored.key === key ? z.array(z.int()).parse(JSON.parse(stored.value ?? "")) : [],
    ) ?? [];
  const [each, numbers] = [numbersOf(USERS_OF_MESSAGES), numbersOf(USERS)];
  const users = new Map<unknown, number>();
  const rows = await parquetReadObjects({ file, metadata, parsers: PARSERS });
  return rows.map((read, place) => {
    const { user_id: userId } = read;
    if (!users.has(userId)) users.set(userId, numbers[users.size] ?? 0);
    const fields = COLUMNS.map(([name, field]) => [field, read[name]]);
    return archivedMessage.parse({ ...Object.fromEntries(fields), user: each[place] ?? users.get(userId) });
  });
}

/** Counts the messages of a file without reading them. */
export const countMessages = (file: ArrayBuffer): number => Number(parquetMetadata(file).num_rows);

const Line = z.record(z.string(), z.unknown());

/** Reads a line of {@link toLine}. It doesn't have the user's number. */
export function fromLine(line: string): ArchivedMessage {
  const read = Line.parse(JSON.parse(line));
  const fields = COLUMNS.map(([name, field, kind]) => {
    const value = read[name];
    if (kind === "time") return [field, Date.parse(String(value))];
    return [field, kind === "json" && value !== null ? JSON.stringify(value) : value];
  });
  return archivedMessage.parse({ ...Object.fromEntries(fields), user: 0 });
}

/** Writes a message as a line of an export, with the names of the columns. */
export function toLine(message: ArchivedMessage): string {
  const fields = COLUMNS.map(([name, field, kind]) => {
    const value = message[field];
    const text =
      kind === "json" ? value : JSON.stringify(kind === "time" ? new Date(Number(value)).toISOString() : value);
    return `"${name}":${text}`;
  });
  return `{${fields.join(",")}}\n`;
}

/**
 * Writes and reads messages as Parquet. The same messages always become the same bytes, so that an interrupted step can be
 * repeated. The file's metadata, which most readers ignore, has the numbers of the users: an erasure finds a person's
 * messages by number, because the external id is erased first. They are in the order in which the ids first appear. If two
 * users share an id, because a live one has the internal id of an erased one, there is a number for each message.
 */
import { parquetWriteBuffer } from "hyparquet-writer";
import { parquetMetadata, parquetReadObjects, type SchemaElement } from "hyparquet";
import { DEFAULT_PARSERS } from "hyparquet/src/convert.js";
import * as z from "zod";

import { type ArchivedMessage, archivedMessage } from "../core/archive/message.ts";

/** The columns of a file, and the fields of an exported line: docs/wire/export.md §17. */
const COLUMNS = [
  ["message_id", "messageId", "STRING"],
  ["type", "type", "STRING"],
  ["source", "source", "STRING"],
  ["account_id", "accountId", "STRING"],
  ["account_kind", "accountKind", "STRING"],
  ["user_id", "userId", "STRING"],
  ["event", "event", "STRING"],
  ["properties", "properties", "JSON"],
  ["attributes", "attributes", "JSON"],
  ["occurred_at", "occurredAt", "TIMESTAMP"],
  ["received_at", "receivedAt", "TIMESTAMP"],
] as const satisfies readonly (readonly [string, keyof ArchivedMessage, "STRING" | "JSON" | "TIMESTAMP"])[];

const REQUIRED: ReadonlySet<string> = new Set(["message_id", "type", "source", "occurred_at", "received_at"]);

const USERS = "users";

const TEXT = { type: "BYTE_ARRAY", converted_type: "UTF8", logical_type: { type: "STRING" } } as const;
/** The library's own type of times lacks the logical type. Without it, DuckDB reads times without a zone. */
const TIME = {
  type: "INT64",
  converted_type: "TIMESTAMP_MILLIS",
  logical_type: { type: "TIMESTAMP", isAdjustedToUTC: true, unit: "MILLIS" },
} as const;

/** JSON is plain text here: polars reads columns of Parquet's JSON type as binary. */
const SCHEMA: SchemaElement[] = [
  { name: "root", num_children: COLUMNS.length },
  ...COLUMNS.map(([name, , type]): SchemaElement => {
    const repetition_type = REQUIRED.has(name) ? "REQUIRED" : "OPTIONAL";
    return { name, ...(type === "TIMESTAMP" ? TIME : TEXT), repetition_type };
  }),
];

/** Writes a file with at least one message. */
export function writeParquet(messages: readonly ArchivedMessage[]): ArrayBuffer {
  const columnData = COLUMNS.map(([name, field, type]) => {
    // Readers can't use the range of JSON texts.
    return { name, data: messages.map((message) => message[field]), statistics: type !== "JSON" };
  });
  const users = new Map(messages.map(({ userId, user }) => [userId, user]));
  const isShared = messages.some(({ userId, user }) => users.get(userId) !== user);
  const numbers = isShared ? messages.map(({ user }) => user) : [...users.values()];
  return parquetWriteBuffer({
    schema: SCHEMA,
    columnData,
    kvMetadata: [{ key: USERS, value: JSON.stringify(numbers) }],
  });
}

const decoder = new TextDecoder();
const PARSERS = {
  ...DEFAULT_PARSERS,
  // The type of JSON in files of earlier versions.
  jsonFromBytes: (bytes: Uint8Array | undefined) => bytes && decoder.decode(bytes),
  timestampFromMilliseconds: Number,
};

/** Reads a file of {@link writeParquet}, in its order. @throws Error when the bytes aren't a file of this form */
export async function readParquet(file: ArrayBuffer): Promise<ArchivedMessage[]> {
  const metadata = parquetMetadata(file);
  const stored = metadata.key_value_metadata?.find(({ key }) => key === USERS);
  const numbers = z.array(z.int()).parse(JSON.parse(stored?.value ?? ""));
  const users = new Map<unknown, number>();
  const rows = await parquetReadObjects({ file, metadata, parsers: PARSERS });
  return rows.map((read, index) => {
    const { user_id: userId } = read;
    if (!users.has(userId)) users.set(userId, numbers[users.size] ?? 0);
    const user = numbers.length === rows.length ? numbers[index] : users.get(userId);
    const fields = COLUMNS.map(([name, field]) => [field, read[name]]);
    return archivedMessage.parse({ ...Object.fromEntries(fields), user });
  });
}

/** Counts the messages of a file without reading them. */
export const countMessages = (file: ArrayBuffer): number => Number(parquetMetadata(file).num_rows);

const Line = z.record(z.string(), z.unknown());

/** Reads a line of {@link toLine}. It doesn't have the user's number. */
export function fromLine(line: string): ArchivedMessage {
  const read = Line.parse(JSON.parse(line));
  const fields = COLUMNS.map(([name, field, type]) => {
    const value = read[name];
    if (type === "TIMESTAMP") return [field, Date.parse(String(value))];
    return [field, type === "JSON" && value !== null ? JSON.stringify(value) : value];
  });
  return archivedMessage.parse({ ...Object.fromEntries(fields), user: 0 });
}

/** JSON may contain these characters, but Python's `splitlines` and others end lines at them. */
const LINE_ENDS = /[\u0085\u2028\u2029]/g;
const escaped = (character: string): string => `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`;

/** Writes a message as a line of an export, with the names of the columns. */
export function toLine(message: ArchivedMessage): string {
  const fields = COLUMNS.map(([name, field, type]) => {
    const value = message[field];
    const text =
      type === "JSON" ? value : JSON.stringify(type === "TIMESTAMP" ? new Date(Number(value)).toISOString() : value);
    return `"${name}":${text}`;
  });
  return `{${fields.join(",")}}\n`.replace(LINE_ENDS, escaped);
}

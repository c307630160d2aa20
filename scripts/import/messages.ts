/** Turns rows of files into messages in Segment's format (docs/wire/batches.md §4). */
import { hash } from "node:crypto";

import { readCdpIdentifiers } from "../../src/core/ingest/identifiers.ts";
import { isJsonObject, type Json, type JsonObject } from "../../src/core/json.ts";
import { clockOf } from "../../src/core/local-time.ts";
import { parseJson } from "../../src/core/parse-json.ts";
import { type ColumnMap, valueIn } from "./columns.ts";
import { readTime } from "./times.ts";

/** Why a row isn't sent. It is only counted. */
export type LeftOut = "of nobody" | "of unsupported types" | "not included";

/** `original` is sent as it is in the file. */
export type Mapped = { message: JsonObject } | { original: JsonObject } | { left: LeftOut } | { problem: string };

export type Mapper = (row: JsonObject) => Mapped;

export interface MapOptions {
  /** The key of the group that is the account. */
  group: string | null;
  /** The time zone of times without an offset. */
  timezone: string | null;
  /** The events to send; empty for all. */
  include: ReadonlySet<string>;
}

export const PRESETS = ["segment", "rudderstack", "posthog", "amplitude", "mixpanel"] as const;
export type Preset = (typeof PRESETS)[number];

interface Fields {
  accountId: Json | undefined;
  userId: Json | undefined;
  event: Json | undefined;
  time: Json | undefined;
  messageId: Json | undefined;
  properties: JsonObject;
}

export function mapperOf(from: Preset | "export" | ColumnMap, options: MapOptions): Mapper {
  const { group, timezone, include } = options;
  const clock = timezone === null ? null : clockOf(timezone);
  const isLeft = (event: Json | undefined) => include.size > 0 && !(typeof event === "string" && include.has(event));
  /** @param isMapped whether rows that name nobody are problems */
  const track = (fields: Fields, isMapped = false, isLocal = false): Mapped => {
    const [accountId, userId, id] = [idOf(fields.accountId), idOf(fields.userId), idOf(fields.messageId)];
    if (isLeft(fields.event)) return { left: "not included" };
    if (accountId === null && userId === null)
      return isMapped ? { problem: "names neither an account nor a user" } : { left: "of nobody" };
    if (typeof fields.event !== "string" || fields.event.trim() === "") return { problem: "has no event" };
    const timestamp = readTime(fields.time, clock, isLocal);
    if (timestamp === null) return { problem: timeProblem(fields.time) };
    const isUnique = !isMapped || id === null || UUID.test(id);
    const messageId = isUnique ? id : hashOf(JSON.stringify([id, fields.event, timestamp, accountId, userId]));
    const message = { type: "track", userId, event: fields.event, timestamp, properties: fields.properties };
    return { message: withAccount({ ...message, ...(messageId !== null && { messageId }) }, accountId) };
  };
  const isLocal = timezone !== null;
  if (typeof from === "object") return (row) => track(fieldsOf(from, row), true);
  switch (from) {
    case "segment":
    case "rudderstack":
      return (row) => original(row, isLeft);
    case "export":
      return (row) => (row["type"] === "track" && isLeft(row["event"]) ? { left: "not included" } : exported(row));
    case "posthog":
      return (row) => {
        if (beginsWith(row["event"], "$")) return { left: "of unsupported types" };
        const properties = objectOf(row["properties"]);
        const [accountId, userId] = [objectOf(properties["$groups"])[group ?? ""], row["distinct_id"]];
        const { event, timestamp: time, uuid: messageId } = row;
        return track({ accountId, userId, event, time, messageId, properties: withoutOwn(properties) });
      };
    case "amplitude":
      return (row) => {
        const { user_id: userId, event_type: event, event_time: time, $insert_id: id, uuid } = row;
        const accountId = objectOf(row["groups"])[group ?? ""];
        const properties = objectOf(row["event_properties"]);
        return track({ accountId, userId, event, time, messageId: id ?? uuid, properties });
      };
    case "mixpanel":
      return (row) => {
        const { event } = row;
        if (MIXPANEL_OWN.has(event)) return { left: "of unsupported types" };
        const { time, distinct_id: distinctId, $insert_id: messageId, $user_id, ...rest } = objectOf(row["properties"]);
        const userId = $user_id ?? (beginsWith(distinctId, "$device:") ? null : distinctId);
        const accountId = group === null ? null : rest[group];
        return track({ accountId, userId, event, time, messageId, properties: withoutOwn(rest) }, false, isLocal);
      };
  }
}

/** Records of who is who. */
const MIXPANEL_OWN: ReadonlySet<Json | undefined> = new Set(["$identify", "$create_alias", "$merge"]);

const beginsWith = (value: Json | undefined, start: string): boolean =>
  typeof value === "string" && value.startsWith(start);

/** Tables number their rows alike. Only an id with a UUID is unique by itself. */
const UUID = /[0-9a-f]{8}(?:-?[0-9a-f]{4}){3}-?[0-9a-f]{12}/i;

/** Makes the id of a message whose own isn't unique, or that has none. */
export const hashOf = (text: string): string => `import-${hash("sha256", text).slice(0, 32)}`;

/** An array has the account first. */
function idOf(value: Json | undefined): string | null {
  const first = Array.isArray(value) ? value[0] : value;
  if (typeof first !== "string" && typeof first !== "number" && typeof first !== "bigint") return null;
  return String(first).trim() || null;
}

function timeProblem(value: Json | undefined): string {
  if (value === undefined || value === null || value === "") return "has no time";
  const shown = typeof value === "object" ? "an object" : `“${String(value).slice(0, 40)}”`;
  return `has the time ${shown}, which is neither ISO 8601 (2026-11-20, 2026-11-20T09:30:00+01:00) nor a number since 1970`;
}

/** Reads an object, or its JSON text, as columns of Parquet and CSV have it. */
export function objectOf(value: Json | undefined): JsonObject {
  const parsed = typeof value === "string" ? parseJson(value) : null;
  const object = parsed === null ? value : parsed.ok && parsed.value;
  return isJsonObject(object) ? object : {};
}

/** Leaves out what the analytics library adds by itself, such as `$browser`. */
const withoutOwn = (properties: JsonObject): JsonObject =>
  Object.fromEntries(Object.entries(properties).filter(([key]) => !key.startsWith("$") && !key.startsWith("mp_")));

/** Names the account where nothing else in the message names another one first. */
function withAccount(message: JsonObject & { type: string }, accountId: string | null): JsonObject {
  if (accountId === null) return message;
  const named = { ...message, accountId };
  if (readCdpIdentifiers(named, message.type).accountId === accountId) return named;
  return { ...message, properties: { ...objectOf(message["properties"]), accountId } };
}

function fieldsOf(map: ColumnMap, row: JsonObject): Fields {
  const read = (column: string | undefined) => (column === undefined ? undefined : valueIn(row, column));
  const used = new Set([map.accountId, map.userId, map.event, map.timestamp, map.messageId]);
  const columns = map.properties ?? Object.keys(row).filter((column) => !used.has(column));
  const values = columns.map((column) => [column, read(column)] as const);
  return {
    accountId: read(map.accountId),
    userId: read(map.userId),
    event: read(map.event),
    time: read(map.timestamp),
    messageId: read(map.messageId),
    properties: Object.fromEntries(
      values.flatMap(([column, value]) => (value == null || value === "" ? [] : [[column, value]])),
    ),
  };
}

/** A message that was received before is sent again as it is. */
function original(row: JsonObject, isLeft: (event: Json | undefined) => boolean): Mapped {
  if (typeof row["type"] !== "string") return { problem: "has no type" };
  const type = row["type"].toLowerCase();
  if (type !== "track" && type !== "identify" && type !== "group") return { left: "of unsupported types" };
  if (type === "track" && isLeft(row["event"])) return { left: "not included" };
  const { userId, accountId, problem } = readCdpIdentifiers(row, type);
  return userId === null && accountId === null && problem === null ? { left: "of nobody" } : { original: row };
}

/** Reads a row of our own export: docs/wire/export.md §17. A personal account belongs to its user, and no sender names it. */
function exported(row: JsonObject): Mapped {
  const { type, message_id: messageId, user_id: userId, event, occurred_at: timestamp } = row;
  if (typeof type !== "string" || timestamp == null || messageId == null) return { problem: "is no row of an export" };
  const accountId = row["account_kind"] === "solo" ? null : idOf(row["account_id"]);
  const attributes = Object.entries(objectOf(row["attributes"])).map(([name, value]) => [
    `account${name.charAt(0).toUpperCase()}${name.slice(1)}`,
    value,
  ]);
  const message = {
    type,
    messageId,
    userId: userId ?? null,
    timestamp,
    ...(type === "track" && { event: event ?? null, properties: objectOf(row["properties"]) }),
    ...(type === "group" && { groupId: accountId }),
    ...(attributes.length > 0 && { traits: Object.fromEntries(attributes) }),
  };
  return { message: withAccount(message, accountId) };
}

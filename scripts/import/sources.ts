/** Opens the files of an import, and decides how each is read. */
import { readFile } from "node:fs/promises";
import { basename } from "node:path";

import type { Json, JsonObject } from "../../src/core/json.ts";
import { ColumnMap, guessColumns, requireColumns } from "./columns.ts";
import { type Mapper, mapperOf, objectOf, type Preset, PRESETS } from "./messages.ts";
import { listFiles, openFile, type SourceFile } from "./rows.ts";

/** The rows that show which columns a file has. */
const SAMPLED_ROWS = 1_000;
/** Columns of our own export: docs/wire/export.md §17. */
const EXPORTED = ["message_id", "type", "source", "account_id", "account_kind", "user_id", "occurred_at"];

export interface SourceOptions {
  from?: string | undefined;
  group?: string | undefined;
  /** The path of a file with a map. */
  map?: string | undefined;
  timezone?: string | undefined;
  include?: string[] | undefined;
}

export interface Source {
  file: SourceFile;
  map: Mapper;
}

/** Checks the options against the files, and shows how they are read. @throws Error for the user */
export async function openSources(paths: readonly string[], options: SourceOptions): Promise<Source[]> {
  const { from, map: mapPath, timezone = null, group = null, include = [] } = options;
  const preset = PRESETS.find((each) => each === from);
  if (from !== undefined && preset === undefined) throw new Error(`--from must be one of ${PRESETS.join(", ")}.`);
  if (preset !== undefined && mapPath !== undefined) throw new Error("--map and --from exclude each other.");
  if (timezone !== null && !isTimeZone(timezone)) throw new Error(`--timezone ${timezone} is no IANA time zone.`);
  const given = mapPath === undefined ? null : await readMap(mapPath);
  const opened: { file: SourceFile; sample: JsonObject[] }[] = [];
  for (const path of await listFiles(paths)) {
    const file = await openFile(path);
    opened.push({ file, sample: await sampleOf(file) });
  }
  if (opened.length === 0) throw new Error("The folder has no files.");
  const key = requireGroup(
    preset,
    group,
    opened.flatMap(({ sample }) => sample),
  );
  const mapOptions = { group: key, timezone, include: new Set(include) };
  const sources = opened.map(({ file, sample }) => {
    if (given !== null) requireColumns(file, given, sample);
    const form = given ?? preset ?? formOf(file, sample);
    console.log(`${basename(file.path)}: ${describe(form, key)}`);
    return { file, map: mapperOf(form, mapOptions) };
  });
  await requireEvents(sources, include);
  return sources;
}

/** Reads until each event to send occurs. @throws Error that names those that don't */
async function requireEvents(sources: readonly Source[], include: readonly string[]): Promise<void> {
  const missing = new Set<unknown>(include);
  for (const { file, map } of sources) {
    if (missing.size === 0) return;
    for await (const row of file.rows()) {
      const made = "data" in row ? map(row.data) : row;
      if ("message" in made) missing.delete(made.message["event"]);
      if ("original" in made) missing.delete(made.original["event"]);
      if (missing.size === 0) return;
    }
  }
  if (missing.size > 0) throw new Error(`--include ${[...missing].join(", ")}: no row has this event.`);
}

async function readMap(path: string): Promise<ColumnMap> {
  const text = await readFile(path, "utf8");
  const { data, error } = ColumnMap.safeParse(parsed(text));
  if (data) return data;
  const problems = error.issues.map((issue) => [...issue.path, issue.message].join(" "));
  const keys = Object.keys(ColumnMap.shape).join(", ");
  throw new Error(`--map: ${problems.join("; ")}. Its keys are ${keys}.`);
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new Error("--map is no JSON.");
  }
}

async function sampleOf(file: SourceFile): Promise<JsonObject[]> {
  const sample: JsonObject[] = [];
  for await (const row of file.rows()) {
    if ("data" in row) sample.push(row.data);
    if (sample.length >= SAMPLED_ROWS) break;
  }
  return sample;
}

/** Finds the group that is the account, if the rows have only one. @throws Error if it is unknown, or there are several */
function requireGroup(from: Preset | undefined, group: string | null, rows: readonly JsonObject[]): string | null {
  if (from === undefined || from === "segment" || from === "rudderstack") {
    if (group !== null) throw new Error("--group needs --from posthog, amplitude or mixpanel.");
    return null;
  }
  const groups = new Set(
    rows.flatMap((row) => {
      const properties = objectOf(row["properties"]);
      if (from === "mixpanel")
        return Object.keys(properties).filter((name) => name === group || mayBeGroup(name, properties[name]));
      return Object.keys(from === "amplitude" ? objectOf(row["groups"]) : Object(Reflect.get(properties, "$groups")));
    }),
  );
  if (group !== null && !groups.has(group)) throw new Error(`--group ${group} is in none of the first rows.`);
  if (group !== null || groups.size === 0) return group;
  if (from !== "mixpanel" && groups.size === 1) return [...groups][0] ?? null;
  throw new Error(`Which group is the account? Name it with --group: ${[...groups].join(", ")}.`);
}

/** Whether a property of Mixpanel can name a group. Values of groups are texts, or lists of them. */
const mayBeGroup = (name: string, value: Json | undefined): boolean =>
  !/^(?:\$|mp_|time$|distinct_id$)/.test(name) && (typeof value === "string" || Array.isArray(value));

/** What only files of these tools have. */
const MARKS: [tool: string, from: Preset, isOf: (row: JsonObject, properties: JsonObject) => boolean][] = [
  ["PostHog", "posthog", (row, own) => "distinct_id" in row && ("$groups" in own || "$lib" in own)],
  ["Amplitude", "amplitude", (row) => "event_type" in row && "$insert_id" in row],
  ["Mixpanel", "mixpanel", (_row, own) => "distinct_id" in own && "time" in own],
];

/** Recognizes our own export and messages in Segment's format, and else guesses the columns. @throws Error for the user */
function formOf(file: SourceFile, rows: readonly JsonObject[]): ColumnMap | Preset | "export" {
  const columns = file.columns ?? [...new Set(rows.flatMap((row) => Object.keys(row)))];
  if (EXPORTED.every((name) => columns.includes(name))) return "export";
  if (rows.some(isMessage)) return "segment";
  const mark = MARKS.find(([, , isOf]) => rows.some((row) => isOf(row, objectOf(row["properties"]))));
  if (mark !== undefined) throw new Error(`${file.path}: This looks like ${mark[0]}: add --from ${mark[1]}.`);
  return guessColumns(file, columns);
}

const isMessage = ({ type, userId, anonymousId, groupId }: JsonObject): boolean =>
  typeof type === "string" && (userId ?? anonymousId ?? groupId) !== undefined;

function describe(form: ColumnMap | Preset | "export", group: string | null): string {
  if (form === "export") return "an export of this service";
  if (typeof form === "string")
    return `messages of ${form}${group === null ? "" : `, the account is the group ${group}`}`;
  const named = Object.entries({ ...form, properties: form.properties?.join(" ") ?? "all other columns" });
  const none = form.accountId === undefined ? "No column is the account. " : "";
  return none + named.map(([field, column]) => `${field} = ${column}`).join(", ");
}

function isTimeZone(timezone: string): boolean {
  try {
    return new Intl.DateTimeFormat("en", { timeZone: timezone }).resolvedOptions().timeZone !== "";
  } catch {
    return false;
  }
}

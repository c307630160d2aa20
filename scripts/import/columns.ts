/** Decides which columns of a file are the account, the user, the event and the time. */
import * as z from "zod";

import { isJsonObject, type Json, type JsonObject } from "../../src/core/json.ts";
import type { SourceFile } from "./rows.ts";

const column = z.string().min(1);
export const ColumnMap = z
  .strictObject({
    accountId: column.optional(),
    userId: column.optional(),
    event: column,
    timestamp: column,
    messageId: column.optional(),
    /** By default all other columns. */
    properties: z.array(column).optional(),
  })
  .refine(({ accountId, userId }) => accountId !== undefined || userId !== undefined, {
    message: "needs accountId, userId or both",
  });
export type ColumnMap = z.infer<typeof ColumnMap>;

/** Names of columns in lower case without punctuation. The first that a file has counts. */
const NAMES = {
  accountId:
    "accountid companyid groupid organizationid organisationid orgid tenantid workspaceid customerid teamid account company organization tenant",
  userId: "userid distinctid memberid personid uid user",
  event: "event eventname eventtype action activity",
  timestamp: "timestamp occurredat eventtime originaltimestamp time datetime ts sentat createdat date",
  messageId: "messageid insertid",
} as const;

const normalized = (name: string): string => name.toLowerCase().replaceAll(/[^a-z0-9]/g, "");

/** @throws Error that says what is missing */
export function guessColumns({ path }: Pick<SourceFile, "path">, columns: readonly string[]): ColumnMap {
  const guessed = Object.entries(NAMES).flatMap(([field, names]) => {
    const found = names.split(" ").flatMap((name) => columns.find((each) => normalized(each) === name) ?? []);
    return found[0] === undefined ? [] : [[field, found[0]]];
  });
  const { data, error } = ColumnMap.safeParse(Object.fromEntries(guessed));
  if (data) return data;
  const missing = error.issues
    .map(({ path: [field], message }) => (field === undefined ? message : String(field)))
    .join(", ");
  throw new Error(`${path}: Which columns are these: ${missing}? Name them with --map. It has ${columns.join(", ")}.`);
}

/** Reads a column, or a field of an object in it: `properties.plan`. */
export function valueIn(row: JsonObject, name: string): Json | undefined {
  if (Object.hasOwn(row, name)) return row[name];
  const [first = "", ...rest] = name.split(".");
  const inner = rest.length === 0 ? undefined : row[first];
  return inner !== undefined && isJsonObject(inner) ? valueIn(inner, rest.join(".")) : undefined;
}

/** @param rows the first ones @throws Error that names columns of the map that a file doesn't have */
export function requireColumns(
  { path, columns }: Pick<SourceFile, "path" | "columns">,
  { properties = [], ...single }: ColumnMap,
  rows: readonly JsonObject[],
): void {
  const has = (name: string) =>
    columns?.includes(name) === true || rows.some((row) => valueIn(row, name) !== undefined);
  const unknown = [...Object.values(single), ...properties].filter((name) => name !== undefined && !has(name));
  if (unknown.length > 0) throw new Error(`${path}: It has no column ${unknown.join(", ")}.`);
}

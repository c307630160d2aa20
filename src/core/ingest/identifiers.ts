/**
 * Reads the ids of users, accounts and messages: see docs/wire/capture.md §3, docs/wire/messages.md §4.2.
 */
import * as z from "zod";

import { isJsonObject, type Json, type JsonObject } from "../json.ts";
import { type AccountField, accountFieldsIn, invalid, laterAccountFieldsIn, type RejectionReason } from "./message.ts";
import { isLongerThan } from "./text.ts";

const MAX_IDENTIFIER_CHARACTERS = 256;

/** `value` is `null` if the identifier is absent. `problem` completes the sentence "<field> …". */
type IdentifierResult =
  | { readonly ok: true; readonly value: string | null }
  | { readonly ok: false; readonly problem: string };

/** JSON Schema of what `readIdentifier` accepts. */
export const OPTIONAL_IDENTIFIER_FORM = {
  type: ["string", "integer", "null"] as ("string" | "integer" | "null")[],
  maxLength: MAX_IDENTIFIER_CHARACTERS,
};

const ABSENT: IdentifierResult = { ok: true, value: null };
export const CONTROL_CHARACTER = /\p{Cc}/u;

/**
 * Reads an identifier: a string of 1 to 256 characters after trimming, without control characters and lone surrogates,
 * or a safe integer as its decimal string. `undefined`, `null` and blank strings are absent. Any other value is an error: ignoring it could
 * attribute the message to the wrong account.
 */
export function readIdentifier(value: unknown): IdentifierResult {
  if (value === undefined || value === null) return ABSENT;
  if (typeof value === "number" && Number.isSafeInteger(value)) return { ok: true, value: String(value) };
  if (typeof value === "bigint" || Number.isInteger(value)) return unusable("must be at most 2^53 - 1, or a string");
  if (typeof value !== "string") return unusable("must be a string or an integer");
  const text = value.trim();
  if (text === "") return ABSENT;
  if (isLongerThan(text, MAX_IDENTIFIER_CHARACTERS)) {
    return unusable(`must be at most ${MAX_IDENTIFIER_CHARACTERS} characters long`);
  }
  if (CONTROL_CHARACTER.test(text)) return unusable("must not contain control characters");
  if (!text.isWellFormed()) return unusable("must not contain lone surrogates");
  return { ok: true, value: text };
}

/** Returns the schema of an identifier that must be present. */
export const requiredIdentifier = (description: string) =>
  z
    .unknown()
    .transform((value, context) => {
      const result = readIdentifier(value);
      if (result.ok && result.value !== null) return result.value;
      return rejectValue(context, result.ok ? "is required" : result.problem);
    })
    .meta({ type: ["string", "integer"], minLength: 1, maxLength: MAX_IDENTIFIER_CHARACTERS, description });

/** Returns the schema of an optional identifier. Blank becomes `null`; callers add what absence means. */
export const nullableIdentifier = (description: string) =>
  z
    .unknown()
    .transform((value, context) => {
      const reading = readIdentifier(value);
      return reading.ok ? reading.value : rejectValue(context, reading.problem);
    })
    .meta({ ...OPTIONAL_IDENTIFIER_FORM, description });

/** @param path of the invalid part of the value */
export function rejectValue(context: z.core.$RefinementCtx, problem: string, path: string[] = []): never {
  context.addIssue({ code: "custom", message: problem, path });
  return z.NEVER;
}

const unusable = (problem: string): IdentifierResult => ({ ok: false, problem });

export interface CdpIdentifiers {
  readonly messageId: string | null;
  readonly userId: string | null;
  readonly accountId: string | null;
  readonly accountField: AccountField | null;
  /** The first unusable value. Fields after the one that names the account aren't read. */
  readonly problem: RejectionReason | null;
}

/**
 * Reads the ids of a compatibility message. It reads the usable ids even if another one is not, so that people can find
 * a rejected message by them.
 *
 * @param type a `group` names its account by `groupId` first
 */
export function readCdpIdentifiers(message: JsonObject, type: string | null): CdpIdentifiers {
  const search: Search = { problem: null };
  const messageId = read(message["messageId"], "messageId", search);
  const userId = read(message["userId"], "userId", search);
  for (const { field, path } of type === "group" ? GROUP_PATHS : ACCOUNT_PATHS) {
    const accountId = read(valueAt(message, path), field, search);
    if (accountId !== null) return { messageId, userId, accountId, accountField: field, problem: search.problem };
  }
  return { messageId, userId, accountId: null, accountField: null, problem: search.problem };
}

interface AccountPath {
  readonly field: AccountField;
  readonly path: readonly string[];
}

const pathOf = (field: AccountField): AccountPath => ({ field, path: field.split(".") });

/** The fields that name an account, in the order in which they are read. */
const ACCOUNT_PATHS: readonly AccountPath[] = [
  ...(["properties.", "traits.", "context.traits.", "", "context."] as const).flatMap(accountFieldsIn).map(pathOf),
  pathOf("context.groupId"),
  pathOf("traits.company.id"),
  pathOf("context.traits.company.id"),
  ...(["", "properties.", "traits.", "context.traits.", "context."] as const).flatMap(laterAccountFieldsIn).map(pathOf),
];
const GROUP_PATHS: readonly AccountPath[] = [pathOf("groupId"), ...ACCOUNT_PATHS];

export function valueAt(message: JsonObject, path: readonly string[]): Json | undefined {
  let value: Json | undefined = message;
  for (const key of path) value = isJsonObject(value) ? value[key] : undefined;
  return value;
}

interface Search {
  problem: RejectionReason | null;
}

function read(value: Json | undefined, path: string, search: Search): string | null {
  if (value === undefined) return null;
  const reading = readIdentifier(value);
  if (reading.ok) return reading.value;
  search.problem ??= invalid(path, reading.problem);
  return null;
}

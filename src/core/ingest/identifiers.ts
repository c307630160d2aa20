/**
 * Reads the ids of users, accounts and messages: see docs/wire.md §3 and §4.2.
 */
import { isJsonObject, type Json, type JsonObject } from "../json.ts";
import type { AccountField } from "./mapping.ts";
import { invalid, type RejectionReason } from "./message.ts";
import { isLongerThan } from "./text.ts";

const MAX_IDENTIFIER_CHARACTERS = 256;

/** `value` is `null` if the identifier is absent. `problem` completes the sentence "<field> …". */
type IdentifierReading =
  | { readonly ok: true; readonly value: string | null }
  | { readonly ok: false; readonly problem: string };

/** JSON Schema of what `readIdentifier` accepts. */
export const IDENTIFIER_FORM = { type: ["string", "integer"], minLength: 1, maxLength: MAX_IDENTIFIER_CHARACTERS };
export const OPTIONAL_IDENTIFIER_FORM = { type: ["string", "integer", "null"], maxLength: MAX_IDENTIFIER_CHARACTERS };

const ABSENT: IdentifierReading = { ok: true, value: null };
const CONTROL_CHARACTER = /\p{Cc}/u;

/**
 * Reads an identifier: a string of 1 to 256 characters after trimming, without control characters, or a safe integer as
 * its decimal string. `undefined`, `null` and blank strings are absent. Any other value is an error: ignoring it could
 * attribute the message to the wrong account.
 */
export function readIdentifier(value: unknown): IdentifierReading {
  if (value === undefined || value === null) return ABSENT;
  if (typeof value === "number") {
    if (Number.isSafeInteger(value)) return { ok: true, value: String(value) };
    return unusable(
      Number.isInteger(value) ? "must be at most 2^53 - 1, or a string" : "must be a string or an integer",
    );
  }
  if (typeof value !== "string") return unusable("must be a string or an integer");
  const text = value.toWellFormed().trim();
  if (text === "") return ABSENT;
  if (isLongerThan(text, MAX_IDENTIFIER_CHARACTERS)) {
    return unusable(`must be at most ${MAX_IDENTIFIER_CHARACTERS} characters long`);
  }
  if (CONTROL_CHARACTER.test(text)) return unusable("must not contain control characters");
  return { ok: true, value: text };
}

const unusable = (problem: string): IdentifierReading => ({ ok: false, problem });

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
 * @param type only a `group` names its account by `groupId`
 */
export function readCdpIdentifiers(message: JsonObject, type: string | null): CdpIdentifiers {
  const search: Search = { problem: null };
  const messageId = read(message["messageId"], "messageId", search);
  const userId = read(message["userId"], "userId", search);
  const account = findAccount(message, type, search);
  const [accountId, accountField] = account ?? [null, null];
  return { messageId, userId, accountId, accountField, problem: search.problem };
}

interface Search {
  problem: RejectionReason | null;
}

type NamedAccount = readonly [id: string, field: AccountField];

const ACCOUNT_KEYS = ["accountId", "company_id", "account_id", "group_id"] as const;

type AccountPlace = "" | "properties." | "traits." | "context.";
type PlaceFields = readonly { readonly key: string; readonly field: AccountField }[];

const fieldsIn = (place: AccountPlace): PlaceFields => ACCOUNT_KEYS.map((key) => ({ key, field: `${place}${key}` }));

const IN_PROPERTIES = fieldsIn("properties.");
const IN_TRAITS = fieldsIn("traits.");
const IN_MESSAGE = fieldsIn("");
const IN_CONTEXT = fieldsIn("context.");

function findAccount(message: JsonObject, type: string | null, search: Search): NamedAccount | null {
  const { properties, traits, context } = message;
  return (
    (type === "group" ? named(message["groupId"], "groupId", search) : null) ??
    findIn(properties, IN_PROPERTIES, search) ??
    findIn(traits, IN_TRAITS, search) ??
    findIn(message, IN_MESSAGE, search) ??
    findIn(context, IN_CONTEXT, search) ??
    (isJsonObject(context) ? named(context["groupId"], "context.groupId", search) : null) ??
    (isJsonObject(traits) && isJsonObject(traits["company"])
      ? named(traits["company"]["id"], "traits.company.id", search)
      : null)
  );
}

function findIn(place: Json | undefined, fields: PlaceFields, search: Search): NamedAccount | null {
  if (!isJsonObject(place)) return null;
  for (const { key, field } of fields) {
    const found = named(place[key], field, search);
    if (found !== null) return found;
  }
  return null;
}

function named(value: Json | undefined, field: AccountField, search: Search): NamedAccount | null {
  const id = read(value, field, search);
  return id === null ? null : [id, field];
}

function read(value: Json | undefined, path: string, search: Search): string | null {
  if (value === undefined) return null;
  const reading = readIdentifier(value);
  if (reading.ok) return reading.value;
  search.problem ??= invalid(path, reading.problem);
  return null;
}

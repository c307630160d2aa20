/**
 * Who a compatibility message speaks of: see docs/wire.md, Identifiers and Account.
 */
import { isJsonObject, type Json, type JsonObject } from "../json.ts";
import { readIdentifier } from "./identifiers.ts";
import type { AccountField } from "./mapping.ts";
import type { Rejection } from "./message.ts";

/** Why a message is rejected, before it is known what of it is kept. */
export type Fault = Pick<Rejection, "code" | "message" | "path">;

export interface CdpIdentifiers {
  readonly messageId: string | null;
  readonly userId: string | null;
  readonly accountId: string | null;
  /** What named the account. */
  readonly accountField: AccountField | null;
  /** The first value that is there but unusable, of those that had to be looked at. */
  readonly fault: Fault | null;
}

type FieldsOfPlace = readonly { readonly key: string; readonly field: AccountField }[];

const fieldsIn = (place: "" | "properties." | "traits." | "context."): FieldsOfPlace =>
  (["accountId", "company_id", "account_id", "group_id"] as const).map((key) => ({ key, field: `${place}${key}` }));

const IN_PROPERTIES = fieldsIn("properties.");
const IN_TRAITS = fieldsIn("traits.");
const IN_MESSAGE = fieldsIn("");
const IN_CONTEXT = fieldsIn("context.");

/**
 * Reads the ids of a message. Those that are usable are read even where another one is not, so that a rejected
 * message can be found by them.
 *
 * @param type a `group` names its account by `groupId` first; any other type does not
 */
export function readCdpIdentifiers(message: JsonObject, type: string | null): CdpIdentifiers {
  const search: Search = { fault: null };
  const messageId = read(message["messageId"], "messageId", search);
  const userId = read(message["userId"], "userId", search);
  const account = findAccount(message, type, search);
  const [accountId, accountField] = account ?? [null, null];
  return { messageId, userId, accountId, accountField, fault: search.fault };
}

interface Search {
  fault: Fault | null;
}

type NamedAccount = readonly [id: string, field: AccountField];

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

function findIn(place: Json | undefined, fields: FieldsOfPlace, search: Search): NamedAccount | null {
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
  search.fault ??= { code: "invalid_message", message: `${path} ${reading.problem}.`, path };
  return null;
}

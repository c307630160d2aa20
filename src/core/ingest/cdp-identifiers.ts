/**
 * Who a compatibility message speaks of: see docs/wire.md, Identifiers and Account.
 */
import { isJsonObject, type Json, type JsonObject } from "../json.ts";
import { readIdentifier } from "./identifiers.ts";
import type { Rejection } from "./message.ts";

/** Why a message is rejected, before it is known what of it is kept. */
export type Fault = Pick<Rejection, "code" | "message" | "path">;

export interface CdpIdentifiers {
  readonly messageId: string | null;
  readonly userId: string | null;
  readonly accountId: string | null;
  /** The first value that is there but unusable, of those that had to be looked at. */
  readonly fault: Fault | null;
}

const ACCOUNT_KEYS = ["accountId", "company_id", "account_id", "group_id"] as const;

/**
 * Reads the ids of a message. Those that are usable are read even where another one is not, so that a rejected
 * message can be found by them.
 *
 * @param type a `group` names its account by `groupId` first; any other type does not
 */
export function readCdpIdentifiers(message: JsonObject, type: string | null): CdpIdentifiers {
  const search: Search = { fault: null };
  const messageId = read(message["messageId"], "messageId", "", search);
  const userId = read(message["userId"], "userId", "", search);
  const accountId = findAccount(message, type, search);
  return { messageId, userId, accountId, fault: search.fault };
}

interface Search {
  fault: Fault | null;
}

function findAccount(message: JsonObject, type: string | null, search: Search): string | null {
  const { properties, traits, context } = message;
  return (
    (type === "group" ? read(message["groupId"], "groupId", "", search) : null) ??
    findIn(properties, "properties.", search) ??
    findIn(traits, "traits.", search) ??
    findIn(message, "", search) ??
    findIn(context, "context.", search) ??
    (isJsonObject(context) ? read(context["groupId"], "groupId", "context.", search) : null) ??
    (isJsonObject(traits) && isJsonObject(traits["company"])
      ? read(traits["company"]["id"], "id", "traits.company.", search)
      : null)
  );
}

function findIn(place: Json | undefined, prefix: string, search: Search): string | null {
  if (!isJsonObject(place)) return null;
  for (const key of ACCOUNT_KEYS) {
    const found = read(place[key], key, prefix, search);
    if (found !== null) return found;
  }
  return null;
}

function read(value: Json | undefined, key: string, prefix: string, search: Search): string | null {
  if (value === undefined) return null;
  const reading = readIdentifier(value);
  if (reading.ok) return reading.value;
  const path = prefix + key;
  search.fault ??= { code: "invalid_message", message: `${path} ${reading.problem}.`, path };
  return null;
}

/** Redacts personal data in one walk: see docs/wire/personal-data.md §5. */
import type { Json, JsonObject } from "../json.ts";
import { redactAddresses } from "./redact-addresses.ts";
import { classifyKey, type KeyLocation } from "./personal-keys.ts";
import { cutText } from "./text.ts";

/** Senders choose keys of any length, so paths cut them. */
const MAX_PATH_SEGMENT_CHARACTERS = 64;
export const MAX_PATHS = 100;

interface Walk {
  readonly location: KeyLocation;
  /** The redacted keys from the top to the current value. */
  readonly trail: (string | number)[];
  readonly paths: string[];
}

/**
 * Removes personal keys, replaces e-mail addresses in strings and keys by `[redacted]`, makes all text well formed, and
 * writes numbers that JSON can't carry as text. Idempotent. The value must not be too deep for recursion: see
 * `measureMessage`.
 *
 * @param paths receives where personal data was, as in `properties.a.0.email`
 * @param path of the value in its message
 */
export function redact(
  value: JsonObject,
  location: KeyLocation,
  paths: string[],
  path: readonly string[] = [location],
): JsonObject {
  return redactObject(value, { location, trail: [...path], paths });
}

/** Redacts one string. */
export function redactText(text: string, path: string, paths: string[]): string {
  const redacted = redactString(text);
  if (hadAddress(text, redacted)) addPath(paths, [path]);
  return redacted;
}

/** Returns a key as part of a path: without personal data, and cut. */
export function pathSegment(key: string): string {
  return cutText(classifyKey(key).name, MAX_PATH_SEGMENT_CHARACTERS);
}

/** Sets an own property. Parsed JSON can have a key `__proto__`, and assigning it would set the prototype. */
export function setProperty(object: JsonObject, key: string, value: Json): void {
  if (key === "__proto__") {
    Object.defineProperty(object, key, { value, enumerable: true, configurable: true, writable: true });
  } else {
    object[key] = value;
  }
}

function redactObject(object: JsonObject, walk: Walk): JsonObject {
  const redacted: JsonObject = {};
  const renamed = new Map<string, number>();
  for (const [key, value] of Object.entries(object)) {
    const { personalIn, maxCount, name, hadAddress: keyHadAddress } = classifyKey(key);
    const isPersonal = (personalIn === "everywhere" || personalIn === walk.location) && !countsOrFlags(value, maxCount);
    if (isPersonal || keyHadAddress) addPath(walk.paths, walk.trail, name);
    if (isPersonal) continue;
    const clean = redactMember(value, name, walk);
    setProperty(redacted, name === key ? key : freeName(object, redacted, name, renamed), clean);
  }
  return redacted;
}

/** Returns whether a value under a personal key only counts or flags things, as `total_tokens: 33` and `mobile: true` do. */
function countsOrFlags(value: Json, maxCount: number): boolean {
  if (typeof value !== "number" && typeof value !== "bigint") return typeof value === "boolean";
  return maxCount === Infinity || (Number.isInteger(value) && value >= 0 && value <= maxCount);
}

function redactMember(value: Json, name: string | number, walk: Walk): Json {
  if (typeof value === "string") {
    const redacted = redactString(value);
    if (hadAddress(value, redacted)) addPath(walk.paths, walk.trail, name);
    return redacted;
  }
  if (typeof value === "number" || typeof value === "bigint") return storableNumber(value);
  if (typeof value !== "object" || value === null) return value;
  walk.trail.push(name);
  const redacted = Array.isArray(value)
    ? value.map((item, index) => redactMember(item, index, walk))
    : redactObject(value, walk);
  walk.trail.pop();
  return redacted;
}

/** Returns a number, or its text if readers of its JSON would get another number, an integer that overflows, or none. */
function storableNumber(value: number | bigint): number | string {
  if (typeof value === "number" && (Number.isSafeInteger(value) || /[.e]/.test(String(value)))) return value;
  return String(value);
}

function redactString(text: string): string {
  return redactAddresses(text.isWellFormed() ? text : text.toWellFormed());
}

function hadAddress(text: string, redacted: string): boolean {
  return redacted !== text && redacted !== text.toWellFormed();
}

/** Numbers a key that became equal to another one. Counts on from the last number, so it stays linear. */
function freeName(object: JsonObject, copy: JsonObject, name: string, renamed: Map<string, number>): string {
  let number = renamed.get(name) ?? 1;
  let free = number === 1 ? name : `${name}_${number}`;
  while (Object.hasOwn(object, free) || Object.hasOwn(copy, free)) {
    number += 1;
    free = `${name}_${number}`;
  }
  renamed.set(name, number + 1);
  return free;
}

function addPath(paths: string[], trail: readonly (string | number)[], last?: string | number): void {
  if (paths.length >= MAX_PATHS) return;
  const segments = last === undefined ? trail : [...trail, last];
  const path = segments
    .map((segment) => (typeof segment === "number" ? String(segment) : cutText(segment, MAX_PATH_SEGMENT_CHARACTERS)))
    .join(".");
  if (paths.at(-1) !== path) paths.push(path);
}

/** What an answer must not hold: more than 64 characters of the sender's own (§8), secrets, and what only a log may say. */
import type * as z from "zod";

import { agreement, madeKey, madeWorkspace, oneWorkspace } from "../../../src/http/openapi/answers/administration.ts";
import { attached, captured, ingested } from "../../../src/http/openapi/answers/ingest.ts";
import { oneAccount } from "../../../src/http/openapi/answers/outcomes.ts";
import { oneUser } from "../../../src/http/openapi/answers/reads.ts";
import { CANARY_MARK } from "../chance.ts";
import type { Operation } from "./operations.ts";

const MAX_ECHOED_CHARS = 64;

/** What comes back as it was given, because it is what the operation is about (§3, §4.5, §6, §9). */
const ECHOED: ReadonlyMap<z.ZodType, readonly string[]> = new Map<z.ZodType, readonly string[]>([
  [captured, ["externalId"]],
  [ingested, ["externalId", "messageId"]],
  [attached, ["externalId"]],
  [oneUser, ["externalId"]],
  [oneAccount, ["externalId"]],
  [madeWorkspace, ["name"]],
  [oneWorkspace, ["name"]],
  [madeKey, ["name"]],
  [agreement, ["acceptedBy", "version"]],
]);

const INTERNALS =
  /SQLITE|D1_ERROR|no such (?:table|column)|constraint failed|\n\s+at |\bat async |\.ts:\d|\.js:\d|node_modules|file:\/\/|TypeError|RangeError|SyntaxError|ZodError|Unexpected token/;

/** The part of a canary that came back, if one did. */
export function echoIn(
  body: unknown,
  headers: string,
  canaries: readonly string[],
  operations: readonly Operation[],
): string | null {
  const known = new Set(operations.flatMap(({ body: answer }) => ECHOED.get(answer) ?? []));
  const text = headers + JSON.stringify(body, (key, value: unknown) => (known.has(key) ? undefined : value));
  if (!text.includes(CANARY_MARK)) return null;
  for (const canary of canaries) {
    for (let at = 0; at + MAX_ECHOED_CHARS < canary.length; at++) {
      const piece = canary.slice(at, at + MAX_ECHOED_CHARS + 1);
      if (text.includes(piece)) return piece;
    }
  }
  return null;
}

/** What an error says that nobody outside may read. */
export const internalsIn = (text: string): string | null => INTERNALS.exec(text)?.[0] ?? null;

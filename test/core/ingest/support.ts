import { expect } from "vitest";

import { isJsonObject, type Json, type JsonObject } from "../../../src/core/json.ts";
import { parseJson } from "../../../src/core/parse-json.ts";
import { mapCdpBody, readCdpBody, type CdpBatch } from "../../../src/core/ingest/cdp-body.ts";
import { mapCdpMessage, type CdpContext } from "../../../src/core/ingest/from-cdp.ts";
import type { Message, Rejection } from "../../../src/core/ingest/message.ts";

export const RECEIVED_AT = Date.UTC(2026, 0, 31, 12, 0, 0);

/** Returns the ISO time that is `offsetMs` after the time of receipt. */
export function at(offsetMs: number): string {
  return new Date(RECEIVED_AT + offsetMs).toISOString();
}

export const CONTEXT: CdpContext = {
  receivedAt: RECEIVED_AT,
  batchSentAt: null,
  batchContext: null,
  pathType: null,
  newMessageId: () => "made",
};

/** Parses as the service does. An object literal treats `__proto__` differently. */
export function parse(json: string): JsonObject {
  const parsed = parseJson(json);
  if (!parsed.ok || !isJsonObject(parsed.value)) throw new Error("not an object");
  return parsed.value;
}

export function accept(raw: unknown, context: Partial<CdpContext> = {}): Message & { redacted: string[] } {
  const mapped = mapCdpMessage(raw, 0, { ...CONTEXT, ...context });
  if (!mapped.ok) throw new Error(`rejected: ${JSON.stringify(mapped.rejection)}`);
  return { ...mapped.message, redacted: mapped.redacted };
}

export function reject(raw: unknown, context: Partial<CdpContext> = {}): Rejection {
  const mapped = mapCdpMessage(raw, 0, { ...CONTEXT, ...context });
  if (mapped.ok) throw new Error(`accepted: ${JSON.stringify(mapped.message)}`);
  return mapped.rejection;
}

/** Maps a valid body. `count` is the number of its items. */
export function mapBatch(
  body: unknown,
  options: Partial<CdpContext> = {},
): CdpBatch & { lone: boolean; count: number } {
  const mapped = mapBody(body, options);
  expect(mapped).toMatchObject({ ok: true });
  if (!mapped.ok) throw new Error(mapped.message);
  return mapped;
}

/** Maps a body, or returns why it has no messages. */
export function mapBody(body: unknown, options: Partial<CdpContext> = {}) {
  const { receivedAt, pathType, newMessageId } = { ...CONTEXT, ...options };
  const read = readCdpBody(body);
  if (!read.ok) return read;
  const { ok, lone, items } = read;
  return { ok, lone, count: items.length, ...mapCdpBody(read, { receivedAt, pathType, newMessageId }) };
}

/** Returns `depth` nested objects or arrays. */
export function nested(depth: number, open = '{"a":', close = "}"): Json {
  return JSON.parse(open.repeat(depth - 1) + (open === "[" ? "[]" : "{}") + close.repeat(depth - 1));
}

/** Returns a message of exactly so many bytes as compact JSON. */
export function messageOfBytes(bytes: number, filler = "x"): JsonObject {
  const message = { type: "track", userId: "u", event: "e", properties: { pad: "" } };
  const left = bytes - Buffer.byteLength(JSON.stringify(message));
  const size = Buffer.byteLength(filler);
  message.properties.pad = filler.repeat(Math.floor(left / size)) + "x".repeat(left % size);
  return message;
}

/**
 * Fits results into 16 KB, which is all of the context that one call should cost an agent. Lists lose rows, which the
 * cursor's next page has. A row that is too large alone loses entries of its long fields, and names these fields.
 */
import type { CallToolResult } from "@modelcontextprotocol/server";
import * as z from "zod";

import type { Fit } from "../edge/cursor.ts";

/** 16 KB without the protocol's envelope, and without the cursor of a list. */
const MAX_RESULT_BYTES = 15 * 1_024;
const MAX_ROWS_BYTES = 14 * 1_024;

export const truncated = z
  .array(z.string())
  .optional()
  .describe("The fields that lost entries, because a result has at most 16 KB.");

const utf8 = new TextEncoder();
const bytesOf = (text: string): number => utf8.encode(text).byteLength;

/** A result has its data twice: also as a text, for clients that know no other content. */
function sizeOf(value: unknown): number {
  const text = JSON.stringify(value);
  return bytesOf(text) + bytesOf(JSON.stringify(text));
}

export const isFit = (body: object): boolean => sizeOf(body) <= MAX_RESULT_BYTES;

export function contentOf(body: Readonly<Record<string, unknown>>): CallToolResult {
  const text = isFit(body) ? JSON.stringify(body) : "Too large for a text: see the structured content.";
  return { content: [{ type: "text", text }], structuredContent: body };
}

/** @param fields the lists and objects that a row may lose entries of */
export const fitRows =
  (fields: readonly string[] = []): Fit =>
  (rows) => {
    let left = MAX_ROWS_BYTES;
    const fitting = rows.findIndex((row) => (left -= sizeOf(row)) < 0);
    if (fitting === -1) return rows;
    return fitting === 0 ? rows.slice(0, 1).map((row) => shorten(row, fields)) : rows.slice(0, fitting);
  };

/** Halves the largest of the fields until the row fits. Lists that begin with the oldest entry lose their beginning. */
export function shorten<Row extends object>(
  row: Row,
  fields: readonly string[],
  oldestFirst: readonly string[] = [],
): Row {
  const shortened: Record<string, unknown> = Object.fromEntries(Object.entries(row));
  const cut = new Set<string>();
  while (sizeOf(shortened) > MAX_ROWS_BYTES) {
    const field = fields.toSorted((a, b) => sizeOf(shortened[b]) - sizeOf(shortened[a]))[0] ?? "";
    const value = shortened[field] ?? [];
    const entries = Object.entries(value);
    if (entries.length === 0) break;
    const kept = Math.floor(entries.length / 2);
    const half = oldestFirst.includes(field) ? entries.slice(entries.length - kept) : entries.slice(0, kept);
    shortened[field] = Array.isArray(value) ? half.map(([, entry]) => entry) : Object.fromEntries(half);
    cut.add(field);
  }
  return cut.size === 0 ? row : { ...row, ...shortened, truncated: [...cut] };
}

/**
 * Fits results into 16 KB, which is all of the context that one call should cost an agent. Lists lose rows, which the
 * cursor's next page has. What is too large alone loses entries of its long fields, and names these fields.
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
export const bytesOf = (text: string): number => utf8.encode(text).byteLength;

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
    const long = fields.map((field) => ({ field }));
    return fitting === 0 ? rows.slice(0, 1).map((row) => shorten(row, long)) : rows.slice(0, fitting);
  };

/** A list, an object or a text that may lose entries or characters. */
export interface Long {
  field: string;
  /** How many entries stay. Default: 0 */
  atLeast?: number;
  /** Begins with the oldest entry, so it loses its beginning. */
  isOldestFirst?: boolean;
}

/** Cuts the fields in their order until the row fits, and each no more than that takes. */
export function shorten<Row extends object>(row: Row, fields: readonly Long[]): Row & { truncated?: string[] } {
  const shortened: Record<string, unknown> = Object.fromEntries(Object.entries(row));
  const cut = new Set<string>();
  for (const { field, atLeast = 0, isOldestFirst = false } of fields) {
    const value = shortened[field];
    const cutTo = (kept: number) => ({ ...shortened, [field]: entriesOf(value, kept, isOldestFirst) });
    const hasRoom = (kept: number) => sizeOf(cutTo(kept)) <= MAX_ROWS_BYTES;
    const length = value === undefined || value === null ? 0 : Object.keys(value).length;
    if (length <= atLeast || hasRoom(length)) continue;
    let [fitting, excess] = [atLeast, length];
    while (excess - fitting > 1) {
      const middle = Math.floor((fitting + excess) / 2);
      if (hasRoom(middle)) fitting = middle;
      else excess = middle;
    }
    Object.assign(shortened, cutTo(fitting));
    cut.add(field);
  }
  return cut.size === 0 ? row : { ...row, ...shortened, truncated: [...cut] };
}

function entriesOf(value: unknown, kept: number, isOldestFirst: boolean): unknown {
  if (typeof value === "string") return kept === value.length ? value : `${value.slice(0, kept).toWellFormed()}…`;
  const entries = Object.entries(value ?? {});
  const left = isOldestFirst ? entries.slice(entries.length - kept) : entries.slice(0, kept);
  return Array.isArray(value) ? left.map(([, entry]) => entry) : Object.fromEntries(left);
}

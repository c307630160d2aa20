/** Pages of lists: `limit` and an opaque `cursor`. */
import type { Context } from "hono";
import { decodeBase64Url, encodeBase64Url } from "hono/utils/encode";

import type { SortPosition } from "../db/client/sort-position.ts";
import { failed, failure } from "./errors.ts";

/**
 * Encodes a cursor: the list (operation, workspace, filters) and the position of the page's last row. A cursor is only
 * valid for its own list. New rows never shift a page, because positions either grow with arrival or hold the sort value.
 */
export function encodeCursor(list: readonly string[], position: number | SortPosition): string {
  const bytes = new TextEncoder().encode(JSON.stringify([position, ...list]));
  return encodeBase64Url(bytes.buffer).replaceAll("=", "");
}

/** Decodes a cursor: the position to continue from, `null` at the start of the list, or `undefined` if it is invalid. */
const cursorReader =
  <Position>(isPosition: (value: unknown) => value is Position) =>
  (list: readonly string[], cursor: string | undefined): Position | null | undefined => {
    if (cursor === undefined) return null;
    try {
      const [position, ...own]: unknown[] = JSON.parse(new TextDecoder().decode(decodeBase64Url(cursor)));
      return isPosition(position) && own.join("\n") === list.join("\n") ? position : undefined;
    } catch {
      return undefined;
    }
  };

export const INVALID_CURSOR = failure("invalid_request", "Invalid cursor.", [
  { path: "cursor", message: "must be the nextCursor of an earlier page of the same list" },
]);
export const invalidCursor = (c: Context) => failed(c, INVALID_CURSOR);

/** What a reader asks of a list. */
export interface PageRequest {
  readonly limit: number;
  readonly cursor?: string | undefined;
}

/** Returns the first of the presented rows, as many as a response has room for. */
export type Fit = <Row extends object>(rows: Row[]) => Row[];
export const fitAll: Fit = (rows) => rows;

const isNumber = (value: unknown): value is number => Number.isSafeInteger(value);

const isSortPosition = (value: unknown): value is SortPosition =>
  Array.isArray(value) && value.length === 2 && Number.isFinite(value[0]) && isNumber(value[1]);

export const readCursor = cursorReader(isNumber);
export const readSortCursor = cursorReader(isSortPosition);

/** Cuts a page out of `limit + 1` rows, with the cursor of the next page, or `null` if this is the last one. */
export function pageOf<T>(
  rows: T[],
  limit: number,
  list: readonly string[],
  positionOf: (row: T) => number | SortPosition,
): { page: T[]; nextCursor: string | null } {
  const page = rows.slice(0, limit);
  const last = page.at(-1);
  return { page, nextCursor: rows.length > limit && last !== undefined ? encodeCursor(list, positionOf(last)) : null };
}

/** Pages of lists: `limit` and an opaque `cursor`. */
import { zValidator } from "@hono/zod-validator";
import type * as z from "zod";

import type { SortPosition } from "../services/database.ts";
import type { AppContext } from "./context.ts";
import { failure } from "./errors.ts";
import { toIssues } from "./issues.ts";
import { pageQuery } from "./schemas/list-queries.ts";

/**
 * Validates `limit` (1 to 200, default 50), `cursor`, and the filters of a list.
 *
 * @example
 * .get("/accounts", listValidator({ state: z.enum(HEALTH_STATES).optional() }), (c) => c.req.valid("query").state)
 */
export const listValidator = <Filters extends z.core.$ZodLooseShape>(filters: Filters) =>
  zValidator("query", pageQuery.extend(filters), (result, c) => {
    if (result.success) return;
    return failure(c, "invalid_request", "The query is not valid.", toIssues(result.error.issues));
  });

/** Of a list without filters. */
export const pageValidator = listValidator({});

/**
 * A cursor says which list it belongs to (the operation, the workspace, the filter) and the position of the last
 * row: used with another list it is refused. New rows never shift a page: a position grows with arrival, or tells
 * itself what comes behind it.
 */
export function makeCursor(list: readonly string[], position: number | SortPosition): string {
  const bytes = new TextEncoder().encode(JSON.stringify([position, ...list]));
  return btoa(String.fromCharCode(...bytes))
    .replaceAll("+", "-")
    .replaceAll("/", "_")
    .replaceAll("=", "");
}

/** @returns the position to go on from, `null` at the start of the list, or the answer that refuses the cursor */
export const readCursor = (
  c: AppContext,
  list: readonly string[],
  cursor: string | undefined,
): number | null | Response => readPosition(c, list, cursor, isNumber);

/** The same for a list sorted by a value. */
export const readSortCursor = (
  c: AppContext,
  list: readonly string[],
  cursor: string | undefined,
): SortPosition | null | Response => readPosition(c, list, cursor, isSortPosition);

function readPosition<Position>(
  c: AppContext,
  list: readonly string[],
  cursor: string | undefined,
  isPosition: (value: unknown) => value is Position,
): Position | null | Response {
  if (cursor === undefined) return null;
  try {
    const text = atob(cursor.replaceAll("-", "+").replaceAll("_", "/"));
    const [position, ...own]: unknown[] = JSON.parse(
      new TextDecoder().decode(Uint8Array.from(text, (char) => char.charCodeAt(0))),
    );
    if (isPosition(position) && own.join("\n") === list.join("\n")) return position;
  } catch {
    // Not a cursor of ours: told below.
  }
  return failure(c, "invalid_request", "The cursor is not one of this list.", [
    { path: "cursor", message: "must be the nextCursor of an earlier page of the same list" },
  ]);
}

const isNumber = (value: unknown): value is number => Number.isSafeInteger(value);

const isSortPosition = (value: unknown): value is SortPosition =>
  Array.isArray(value) && value.length === 2 && Number.isFinite(value[0]) && isNumber(value[1]);

/** The cursor of the page after this one; `null` when it was the last. Ask for one row more than the page has. */
export function pageOf<T>(
  rows: T[],
  limit: number,
  list: readonly string[],
  positionOf: (row: T) => number | SortPosition,
): { page: T[]; nextCursor: string | null } {
  const page = rows.slice(0, limit);
  const last = page.at(-1);
  return { page, nextCursor: rows.length > limit && last !== undefined ? makeCursor(list, positionOf(last)) : null };
}

/** Refuses browser keys on pages that may not use them: docs/wire/browsers.md §19. Other programs can send any origin. */
import { allowsOrigin } from "../../core/origins/origins.ts";
import type { AppContext } from "../../edge/app-context.ts";
import { errorResponse, type ErrorResponse } from "../../edge/errors.ts";
import type { KeyGrant } from "../../db/workspaces/api-keys.ts";

/** @param isInUrl URLs are logged, so they may only have keys that every visitor of a page can read anyway */
export function refusePage(
  c: AppContext,
  { origins }: KeyGrant,
  isInUrl: boolean,
): ErrorResponse<"forbidden" | "origin_not_allowed"> | null {
  if (origins === null)
    return isInUrl ? errorResponse(c, "forbidden", "Only a browser key, a key with origins, may be in a URL.") : null;
  const origin = c.req.header("Origin") ?? null;
  // A page that reads from its own host sends no origin.
  if (origin === null && c.req.method !== "POST") return null;
  if (allowsOrigin(origins, origin)) return null;
  return errorResponse(c, "origin_not_allowed", "This page may not use the key. Add its origin to the key's origins.");
}

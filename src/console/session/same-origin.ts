/**
 * Protects against cross-site request forgery. Hono's own `csrf` checks only the content types of forms, and a page of
 * another site can send any content type, or none.
 */
import { createMiddleware } from "hono/factory";

import type { AppContext, AppEnv } from "../../edge/context.ts";
import { forbiddenPage } from "../layout/error-pages.tsx";

const SAFE_METHODS: ReadonlySet<string> = new Set(["GET", "HEAD", "OPTIONS"]);

export const isSafe = (c: AppContext): boolean => SAFE_METHODS.has(c.req.method);

/** Refuses every request that may change something and doesn't come from a page of the console. */
export const requireSameOrigin = createMiddleware<AppEnv>(async (c, next) => {
  if (!isSafe(c) && !isSameOrigin(c)) return forbiddenPage(c, "This request came from another site.");
  await next();
});

/** Browsers send at least one of the two headers, and pages can't forge either. */
const isSameOrigin = (c: AppContext): boolean =>
  c.req.header("Sec-Fetch-Site") === "same-origin" || c.req.header("Origin") === new URL(c.req.url).origin;

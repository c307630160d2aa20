import { createMiddleware } from "hono/factory";

import { MIN_ADMIN_TOKEN_CHARS } from "../../config.ts";
import type { AppEnv } from "../../edge/context.ts";
import { errorResponse, notFound } from "../../edge/errors.ts";
import { sameSecret } from "../../edge/same-secret.ts";
import { bearerKey } from "./api-key.ts";

/** Refuses requests without the deployment's admin token. If no usable token is set, the path does not exist. */
export const requireAdmin = createMiddleware<AppEnv>(async (c, next) => {
  const token = c.env.ADMIN_TOKEN ?? "";
  if (token.length < MIN_ADMIN_TOKEN_CHARS) return notFound(c);
  if (!(await sameSecret(token, bearerKey(c.req.raw.headers) ?? ""))) {
    return errorResponse(c, "unauthorized", "The admin token is required: Authorization: Bearer <ADMIN_TOKEN>.");
  }
  await next();
});

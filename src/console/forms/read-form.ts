import { createMiddleware } from "hono/factory";

import { MAX_EVENT_BYTES } from "../../config.ts";
import { BodyTooLarge, readBytes } from "../../edge/request-body.ts";
import type { AppContext, AppEnv } from "../../edge/app-context.ts";
import { tooLargePage } from "../layout/error-pages.tsx";

/** Refuses large forms. `readForm` then reads what is replaced here. */
export const limitFormSize = createMiddleware<AppEnv>(async (c, next) => {
  const { body } = c.req.raw;
  if (body === null) return next();
  try {
    c.req.raw = new Request(c.req.raw, { method: c.req.method, body: await readBytes(body, MAX_EVENT_BYTES) });
  } catch (error) {
    if (error instanceof BodyTooLarge) return tooLargePage(c);
    throw error;
  }
  return next();
});

/** Reads the fields of a form. Repeated fields become arrays. Returns no fields for a body that isn't a form. */
export const readForm = (c: AppContext): Promise<Record<string, unknown>> =>
  c.req.parseBody({ all: true }).catch(() => ({}));

import { bodyLimit } from "hono/body-limit";

import { MAX_EVENT_BYTES } from "../../config.ts";
import type { AppContext } from "../../edge/context.ts";
import { tooLargePage } from "../layout/error-pages.tsx";

export const limitFormSize = bodyLimit({ maxSize: MAX_EVENT_BYTES, onError: tooLargePage });

/** Reads the fields of a form. Repeated fields become arrays. Returns no fields for a body that isn't a form. */
export const readForm = (c: AppContext): Promise<Record<string, unknown>> =>
  c.req.parseBody({ all: true }).catch(() => ({}));

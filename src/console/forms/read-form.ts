/** What somebody filled in: no more than a form of the console has, and nothing where it can't be read. */
import { bodyLimit } from "hono/body-limit";

import { MAX_EVENT_BYTES } from "../../config.ts";
import type { AppContext } from "../../edge/context.ts";
import { tooLargePage } from "../layout/error-pages.tsx";

export const limitedForm = bodyLimit({ maxSize: MAX_EVENT_BYTES, onError: tooLargePage });

/** The fields by name, each the last of its name: text, or a file. */
export const formOf = (c: AppContext): Promise<Record<string, unknown>> => c.req.parseBody().catch(() => ({}));

/** The same with all values of a name, where there are several. */
export const wholeFormOf = (c: AppContext): Promise<Record<string, unknown>> =>
  c.req.parseBody({ all: true }).catch(() => ({}));

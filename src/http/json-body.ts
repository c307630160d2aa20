import { zValidator } from "@hono/zod-validator";
import { createMiddleware } from "hono/factory";
import { bodyLimit } from "hono/body-limit";
import type * as z from "zod";

import { MAX_EVENT_BYTES } from "../config.ts";
import type { AppEnv } from "./context.ts";
import { failure } from "./errors.ts";
import { toIssues } from "./issues.ts";

/** Nothing that the validator does not know for JSON: it would take the body for an empty one, and a key's scopes for none named. */
const JSON_TYPE = /^application\/(?:[a-z0-9.-]+\+)?json\s*(?:;|$)/i;

/** A body that must be JSON, of at most so many bytes, and say so: 415, 413 or 400 otherwise. */
export function jsonUpTo(maxSize: number) {
  const limited = bodyLimit({
    maxSize,
    onError: (c) => failure(c, "message_too_large", `The body may have at most ${maxSize} bytes.`),
  });
  return createMiddleware<AppEnv>(async (c, next) => {
    if (!JSON_TYPE.test(c.req.header("Content-Type") ?? "")) {
      return failure(c, "unsupported_media_type", "The body must be JSON: Content-Type: application/json.");
    }
    try {
      return await limited(c, next);
    } catch {
      // Faults of what comes behind are answered there: what fails here is a body that breaks off.
      return failure(c, "invalid_json", "The body could not be read.");
    }
  });
}

export const jsonOnly = jsonUpTo(MAX_EVENT_BYTES);

/** Validates the body, naming the fields at fault. */
export const jsonBody = <Schema extends z.ZodType>(schema: Schema) =>
  zValidator("json", schema, (result, c) => {
    if (result.success) return;
    return failure(c, "invalid_request", "The body is not valid.", toIssues(result.error.issues));
  });

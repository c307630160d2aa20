/**
 * Opens an ingest request: authorizes it, reads its body within the limit, and parses it. It refuses as early as it can:
 * by header credentials before reading the body, by size before parsing. Nothing that it refuses is charged.
 */
import { createMiddleware } from "hono/factory";

import { isJsonObject } from "../../core/json.ts";
import type { AppContext, AppEnv } from "../../edge/context.ts";
import type { IngestCall } from "../../services/ingest.ts";
import { authorize, senderKey } from "./api-key.ts";
import { type BodyLimit, parseJson, readText } from "./json-body.ts";
import { writeCallOf } from "./write-limit.ts";

/** Sets `grant`, `body` and `receivedAt`. */
export const openIngestRequest = (limit: BodyLimit) =>
  createMiddleware<AppEnv>(async (c, next) => {
    c.set("receivedAt", Date.now());
    const key = senderKey(c.req.raw.headers);
    const early = key === null ? null : await authorize(c, key, "ingest");
    if (early instanceof Response) return early;

    const text = await readText(c, limit);
    if (text instanceof Response) return text;
    const parsed = parseJson(c, text);
    if (parsed instanceof Response) return parsed;
    const grant = early ?? (await authorize(c, writeKey(parsed.body), "ingest"));
    if (grant instanceof Response) return grant;
    c.set("grant", grant);
    c.set("body", parsed.body);
    return await next();
  });

/** Browser libraries that can't set headers send the key in the body. */
function writeKey(body: unknown): string | null {
  return isJsonObject(body) && typeof body["writeKey"] === "string" ? body["writeKey"] : null;
}

/** Returns what the ingest services need of an opened request. */
export const ingestCallOf = (c: AppContext): IngestCall => ({
  ...writeCallOf(c),
  receivedAt: c.get("receivedAt"),
  keepAlive: (work) => c.executionCtx.waitUntil(work),
});

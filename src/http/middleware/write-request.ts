/**
 * Opens write requests, and reports the write limit's decisions to senders. It authorizes an ingest request, reads its
 * body within the limit, and parses it. It refuses a request as early as possible: by header credentials before it
 * reads the body, by size before it parses it. Early refusals are not charged.
 */
import { createMiddleware } from "hono/factory";

import { CLIENT_LIMIT_SECONDS, RETRY_AFTER_STORAGE_FULL_SECONDS } from "../../config.ts";
import { isJsonObject } from "../../core/json.ts";
import { WRITE_WINDOW_MS } from "../../core/limit/policy.ts";
import { parseJson } from "../../core/parse-json.ts";
import { type AppContext, type AppEnv, callOf } from "../../edge/app-context.ts";
import { errorResponse, type ErrorResponse, unauthorized } from "../../edge/errors.ts";
import type { IngestCall } from "../../services/ingest.ts";
import { TooManyRequests } from "../../limiter/check-client-limit.ts";
import type { WriteCall } from "../../services/write-within-limit.ts";
import type { WriteQuota, WriteRefusal } from "../../limiter/write-limiter.ts";
import { authorize, senderKey } from "../../edge/credentials.ts";
import type { KeyGrant } from "../../db/workspaces/api-keys.ts";
import { verifySignature } from "../../services/signatures/verify.ts";
import { type BodyLimit, invalidJson, readDecoded, toText } from "./json-body.ts";
import { refusePage } from "./refuse-page.ts";

/** Opens an ingest request. Sets `grant`, `body`, `receivedAt` and `signatureId`. Only a beacon's key is in its URL. */
export const openIngestRequest = (limit: BodyLimit, isBeacon = false) =>
  createMiddleware<AppEnv>(async (c, next) => {
    const receivedAt = Date.now();
    c.set("receivedAt", receivedAt);
    const key = isBeacon ? (c.req.query("writeKey") ?? "") : senderKey(c.req.raw.headers);
    const early = key === null ? null : await authorizeSender(c, key, isBeacon);
    if (early instanceof Response) return early;

    const decoded = await readDecoded(c, limit);
    if (decoded instanceof Response) return decoded;
    const signature = early === null ? null : await checkSignature(c, early, decoded, receivedAt);
    if (signature instanceof Response) return signature;
    const text = toText(c, decoded);
    if (text instanceof Response) return text;
    const parsed = parseJson(text);
    if (!parsed.ok) return invalidJson(c, parsed.position);
    const body = parsed.value;
    const grant = early ?? (await authorizeSender(c, writeKey(body)));
    if (grant instanceof Response) return grant;
    if (early === null && grant.sealed !== null)
      return errorResponse(c, "invalid_signature", "Send a signed key in the header Authorization.");
    c.set("signatureId", signature?.id ?? null);
    c.set("grant", grant);
    c.set("body", body);
    return await next();
  });

/** Refuses senders of a network with 503: some client libraries drop what a 429 refuses. */
export async function authorizeSender(c: AppContext, key: string | null, isInUrl = false) {
  try {
    const grant = await authorize(c, key, ["ingest"]);
    return grant instanceof Response ? grant : (refusePage(c, grant, isInUrl) ?? grant);
  } catch (error) {
    if (!(error instanceof TooManyRequests)) throw error;
    c.header("Retry-After", String(CLIENT_LIMIT_SECONDS));
    return errorResponse(c, "unavailable", "Your network has sent too many unknown keys. Retry the same request.");
  }
}

/** @returns `null` for a key that isn't signed */
async function checkSignature(c: AppContext, grant: KeyGrant, body: Uint8Array, receivedAt: number) {
  if (grant.sealed === null) return null;
  const signature = await verifySignature(c.env, grant, { headers: c.req.raw.headers, body, receivedAt });
  return signature ?? errorResponse(c, "invalid_signature", "The signature is missing or wrong, or its time is over.");
}

/** Browser libraries that can't set headers send the key in the body. */
function writeKey(body: unknown): string | null {
  return isJsonObject(body) && typeof body["writeKey"] === "string" ? body["writeKey"] : null;
}

export const ingestCallOf = (c: AppContext): IngestCall => ({
  ...writeCallOf(c),
  body: c.get("body"),
  receivedAt: c.get("receivedAt"),
  signatureId: c.get("signatureId"),
});

export const writeCallOf = (c: AppContext): WriteCall => ({
  ...callOf(c),
  grant: c.get("grant"),
  onQuota: (quota) => setQuotaHeaders(c, quota),
});

export function writeRefused(
  c: AppContext,
  refusal: WriteRefusal,
): ErrorResponse<"unauthorized" | "rate_limited" | "storage_full"> {
  if (refusal.outcome === "unauthorized") return unauthorized(c);
  if (refusal.outcome === "storage_full") {
    c.header("Retry-After", String(RETRY_AFTER_STORAGE_FULL_SECONDS));
    return errorResponse(c, "storage_full", "The workspace's storage limit is reached. Nothing was stored.");
  }
  const wait = seconds(refusal.retryAfterMs);
  c.header("Retry-After", wait);
  c.header("X-RateLimit-Reset", wait);
  return errorResponse(c, "rate_limited", `Write limit exceeded. Retry the same request in ${wait} s.`);
}

/** Sets the RateLimit headers, which every response after the limiter's decision has. */
function setQuotaHeaders(c: AppContext, { limit, left, resetMs }: WriteQuota): void {
  c.header("RateLimit-Policy", `"writes";q=${limit};w=${seconds(WRITE_WINDOW_MS)}`);
  c.header("RateLimit", `"writes";r=${left};t=${seconds(resetMs)}`);
}

const seconds = (ms: number): string => String(Math.ceil(ms / 1000));

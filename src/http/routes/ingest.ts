/**
 * What both ingest paths share: from an untrusted request to a parsed body and the grant of its key, and from the
 * mapped messages to what is durable. In this order, because a request is refused as soon as that is certain: by its
 * header credentials before a byte of the body is read, by its size before it is parsed, by its JSON before it is
 * charged, by its charge before it is mapped.
 */
import { isJsonObject } from "../../core/json.ts";
import type { IngestBatch } from "../../core/ingest/message.ts";
import type { Charge } from "../../core/limit/write-window.ts";
import { DatabaseUnavailable } from "../../services/database.ts";
import { type StoreOutcome, storeBatch } from "../../services/ingest.ts";
import type { KeyGrant } from "../../services/workspaces/api-keys.ts";
import { callLimiter } from "../../services/limiter.ts";
import { type AppContext, timed } from "../../edge/context.ts";
import { authorize, forgetKey, senderKey } from "../middleware/credentials.ts";
import { unauthorized } from "../../edge/errors.ts";
import { type BodyLimit, parseJson, readText } from "../middleware/json-body.ts";
import { refund } from "../middleware/write-limit.ts";

export interface OpenedRequest {
  grant: KeyGrant;
  /** The parsed body, whatever JSON it is. */
  body: unknown;
  /** Milliseconds since the epoch. */
  receivedAt: number;
}

/** @returns the request, or the answer that refuses it: 400, 401, 403, 413 or 415, of which none is charged */
export async function openRequest(c: AppContext, limit: BodyLimit): Promise<OpenedRequest | Response> {
  const receivedAt = Date.now();
  const key = senderKey(c.req.raw.headers);
  const early = key === null ? null : await authorize(c, key, "ingest");
  if (early instanceof Response) return early;

  const text = await readText(c, limit);
  if (text instanceof Response) return text;
  const parsed = parseJson(c, text);
  if (parsed instanceof Response) return parsed;
  const { body } = parsed;
  const grant = early ?? (await authorize(c, writeKey(body), "ingest"));
  return grant instanceof Response ? grant : { grant, body, receivedAt };
}

/**
 * Stores what was charged for.
 * @param charges of all messages of the request, invalid and duplicate ones too
 * @returns what became of it, or the answer that refuses it: 401
 */
export async function store(
  c: AppContext,
  grant: KeyGrant,
  charges: Charge[],
  batch: IngestBatch,
): Promise<Extract<StoreOutcome, { outcome: "stored" }> | Response> {
  const facts = c.get("facts");
  facts.rejected = batch.rejections.length;
  const keepAlive = (work: Promise<void>) => c.executionCtx.waitUntil(work);
  try {
    const outcome = await timed(c, "databaseMs", () =>
      storeBatch(c.env, grant.workspace, grant.keyId, batch, keepAlive),
    );
    if (outcome.outcome === "workspace_gone") return await refuseGone(c, grant);
    facts.stored = outcome.stored;
    facts.duplicates = outcome.duplicates;
    return outcome;
  } catch (error) {
    if (error instanceof DatabaseUnavailable && error.notApplied) await refund(c, grant, charges);
    throw error;
  }
}

/** Refuses a write to a workspace that was erased since its key was looked up. */
export async function refuseGone(c: AppContext, grant: KeyGrant): Promise<Response> {
  forgetKey(grant.keyId);
  // Charging the request has created the erased limiter anew.
  await callLimiter(c.env, grant.workspace.id, (limiter) => limiter.erase());
  return unauthorized(c);
}

/** Where browser libraries put the key, being unable to set headers. */
function writeKey(body: unknown): string | null {
  return isJsonObject(body) && typeof body["writeKey"] === "string" ? body["writeKey"] : null;
}

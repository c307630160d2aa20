/**
 * Ingests a parsed body: checks its size, charges it, maps it, stores it and reports it. Invalid messages are charged too, so
 * mapping comes after the charge: a flood that is refused costs no more than counting its messages.
 */
import { MAX_IDEMPOTENCY_KEY_CHARS } from "../config.ts";
import { type CdpBatch, type CdpBody, isTooLarge, mapCdpBody, readCdpBody } from "../core/ingest/cdp-body.ts";
import { TOO_LARGE } from "../core/ingest/from-cdp.ts";
import { isJsonObject } from "../core/json.ts";
import { mapNativeCapture, type NativeCapture } from "../core/ingest/from-native.ts";
import type { IngestBatch, Issue, Rejection } from "../core/ingest/message.ts";
import { rejectCapture } from "../core/ingest/rejection.ts";
import type { WorkspaceRef } from "../db/client/database.ts";
import type { EntityRef } from "../db/ingest/entity-ref.ts";
import { storeBatch, type Stored } from "../db/ingest/store-messages.ts";
import { type WriteCall, writeWithinLimit } from "./write-within-limit.ts";
import type { WriteRefusal } from "../limiter/write-limiter.ts";

export interface IngestCall extends WriteCall {
  /** Parsed JSON. */
  body: unknown;
  receivedAt: number;
  /** Names the request by its signature; `null` for a key that isn't signed. */
  signatureId: string | null;
}

type CaptureOutcome =
  | ({ outcome: "stored"; deduped: boolean; account: EntityRef; user: EntityRef } & Pick<
      Extract<NativeCapture, { ok: true }>,
      "ignored" | "redacted"
    >)
  | { outcome: "invalid"; message: string; issues: Issue[] }
  | WriteRefusal;

export function captureEvent(
  call: IngestCall,
  { versioned, idempotencyKey: sent }: { versioned: boolean; idempotencyKey: string | undefined },
): Promise<CaptureOutcome> {
  const { body, receivedAt, signatureId } = call;
  // No signature covers the header.
  const idempotencyKey = signatureId === null ? sent : undefined;
  return writeWithinLimit(call, 1, async (workspace): Promise<CaptureOutcome> => {
    const hasValidKey =
      idempotencyKey === undefined || (idempotencyKey !== "" && idempotencyKey.length <= MAX_IDEMPOTENCY_KEY_CHARS);
    const messageId = inNamespace(call, idempotencyKey ?? newMessageId(call, 0));
    const mapped = mapNativeCapture(body, { receivedAt, versioned, messageId });
    const isMessage = signatureId !== null && isJsonObject(body) && Object.hasOwn(body, "type");
    if (!mapped.ok || !hasValidKey || isMessage) {
      const issues = mapped.ok ? [isMessage ? SIGNED_MESSAGE : INVALID_IDEMPOTENCY_KEY] : mapped.issues;
      const rejections = [rejectCapture(body, issues, hasValidKey ? (idempotencyKey ?? null) : null)];
      await storeAndLog(call, workspace, { source: "native", receivedAt, messages: [], rejections });
      return { outcome: "invalid", message: issues[0]?.message ?? "Invalid event.", issues };
    }
    const batch = { source: "native", receivedAt, messages: [mapped.message], rejections: [] } as const;
    const { account, user, duplicates } = await storeAndLog(call, workspace, batch);
    if (account === null || user === null) throw new Error("a capture always has an account and a user");
    const { ignored, redacted } = mapped;
    return { outcome: "stored", deduped: duplicates > 0, account, user, ignored, redacted };
  });
}

const INVALID_IDEMPOTENCY_KEY = {
  path: "Idempotency-Key",
  message: `Idempotency-Key must have 1 to ${MAX_IDEMPOTENCY_KEY_CHARS} characters.`,
};

/** No signature covers the path: a signed body must mean the same on all of them. */
const SIGNED_MESSAGE = { path: "type", message: "type must be absent in a signed capture." };

export type CdpOutcome =
  | (Stored & Pick<CdpBatch, "rejections" | "redactions">)
  | { outcome: "batch_too_large" | "message_too_large"; message: string }
  | { outcome: "invalid"; message: string; issues: Issue[] }
  /** The body was a single message, and it is invalid. */
  | { outcome: "invalid_message"; rejection: Rejection }
  | WriteRefusal;

/** @param named the message type that the path names, or `null` */
export async function ingestCdp(call: IngestCall, named: string | null): Promise<CdpOutcome> {
  const pathType = call.signatureId === null ? named : null;
  const read = readCdpBody(call.body);
  if (!read.ok) {
    const { reason, message, path } = read;
    if (reason === "batch_too_large") return { outcome: reason, message };
    const issues = [{ path: path ?? "", message }];
    return writeWithinLimit(call, 1, async (): Promise<CdpOutcome> => ({ outcome: "invalid", message, issues }));
  }
  if (isTooLarge(read, pathType)) return { outcome: "message_too_large", message: TOO_LARGE };
  return writeWithinLimit(call, read.items.length, (workspace) => mapAndStore(call, workspace, read, pathType));
}

async function mapAndStore(
  call: IngestCall,
  workspace: WorkspaceRef,
  read: CdpBody,
  pathType: string | null,
): Promise<CdpOutcome> {
  const { receivedAt } = call;
  const options = { receivedAt, pathType, newMessageId: (index: number) => newMessageId(call, index) };
  const { messages: mapped, rejections, redactions } = mapCdpBody(read, options);
  const messages = mapped.map((message) => ({ ...message, messageId: inNamespace(call, message.messageId) }));
  const stored = await storeAndLog(call, workspace, { source: "cdp", receivedAt, messages, rejections });
  const [rejection] = rejections;
  // Client libraries send these by themselves. Even alone, they are listed as rejected, as in a batch.
  if (read.lone && rejection !== undefined && !rejection.automatic) return { outcome: "invalid_message", rejection };
  return { ...stored, rejections, redactions };
}

/** Stores a batch, and reports the result to the log line. */
async function storeAndLog(
  { env, logFields, grant, keepAlive }: IngestCall,
  workspace: WorkspaceRef,
  batch: IngestBatch,
): Promise<Stored> {
  logFields.rejected = batch.rejections.length;
  const result = await storeBatch(env, workspace, grant.keyId, batch, keepAlive);
  logFields.stored = result.stored;
  logFields.duplicates = result.duplicates;
  return result;
}

/**
 * Generates the id of a message that was sent without one: a UUID of version 7 (RFC 9562), which begins with the time.
 * Consecutive ids are neighbors in the index, so a commit writes one page of it instead of many. A message of a request
 * that has a name gets one from that, so that the request can't be replayed.
 */
function newMessageId({ receivedAt, signatureId }: IngestCall, index: number): string {
  if (signatureId !== null) return `${signatureId}:${index}`;
  const time = receivedAt.toString(16).padStart(12, "0");
  return `${time.slice(0, 8)}-${time.slice(8)}-7${crypto.randomUUID().slice(15)}`;
}

/** Anybody can send with a browser key. Without a namespace of their own, its messages could take the ids of other senders. */
const inNamespace = ({ grant }: IngestCall, messageId: string): string =>
  grant.origins === null ? messageId : `web:${messageId}`;

import { MAX_EVENT_BYTES, MAX_IDEMPOTENCY_KEY_CHARS } from "../../config.ts";
import { mapNativeCapture } from "../../core/ingest/from-native.ts";
import { rejectCapture } from "../../core/ingest/rejection.ts";
import { answerJson } from "../../edge/answer.ts";
import type { AppContext } from "../../edge/context.ts";
import { failure } from "../../edge/errors.ts";
import { openRequest, store } from "./ingest.ts";
import { newMessageId } from "../message-id.ts";
import { consume } from "../middleware/write-limit.ts";

const BAD_KEY = { path: "Idempotency-Key", message: `must have 1 to ${MAX_IDEMPOTENCY_KEY_CHARS} characters` };

/**
 * Captures one behaviour event.
 * @param versioned whether it came by /api/v1, which knows more fields than the path before it
 */
export async function captureEvent(c: AppContext, versioned: boolean): Promise<Response> {
  const opened = await openRequest(c, { maxBytes: MAX_EVENT_BYTES, code: "message_too_large" });
  if (opened instanceof Response) return opened;
  const { grant, body, receivedAt } = opened;

  const charges = await consume(c, grant, 1);
  if (charges instanceof Response) return charges;

  const idempotencyKey = c.req.header("Idempotency-Key");
  const messageId = idempotencyKey ?? newMessageId(receivedAt);
  const mapped = mapNativeCapture(body, { receivedAt, versioned, messageId });
  if (!mapped.ok || !isUsable(idempotencyKey)) {
    const issues = mapped.ok ? [BAD_KEY] : mapped.issues;
    const rejections = [rejectCapture(body, issues, isUsable(idempotencyKey) ? (idempotencyKey ?? null) : null)];
    const refused = await store(c, grant, charges, { source: "native", receivedAt, messages: [], rejections });
    if (refused instanceof Response) return refused;
    if (mapped.ok) return failure(c, "invalid_request", "The Idempotency-Key header is not usable.", [BAD_KEY]);
    return failure(c, "invalid_request", "The event is not valid.", mapped.issues);
  }

  const batch = { source: "native", receivedAt, messages: [mapped.message], rejections: [] } as const;
  const written = await store(c, grant, charges, batch);
  if (written instanceof Response) return written;
  const { ignored, redacted } = mapped;
  return answerJson(c, {
    ok: true,
    deduped: written.duplicates > 0,
    account: written.account,
    user: written.user,
    ...(ignored.length > 0 ? { ignored } : {}),
    ...(redacted.length > 0 ? { redacted } : {}),
  });
}

const isUsable = (key: string | undefined): boolean =>
  key === undefined || (key.length >= 1 && key.length <= MAX_IDEMPOTENCY_KEY_CHARS);

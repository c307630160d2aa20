import { MAX_BATCH_BYTES } from "../config.ts";
import { mapCdpBody } from "../core/ingest/cdp-body.ts";
import type { AppContext } from "./context.ts";
import { failure } from "./errors.ts";
import { openRequest, write } from "./ingest.ts";
import { newMessageId } from "./message-id.ts";
import { admitInvalid } from "./write-limit.ts";

/**
 * Ingests the messages of a Segment-style sender.
 * @param pathType the message type that the path names, or `null`
 */
export async function ingestCdp(c: AppContext, pathType: string | null): Promise<Response> {
  const opened = await openRequest(c, { maxBytes: MAX_BATCH_BYTES, code: "batch_too_large" });
  if (opened instanceof Response) return opened;
  const { grant, body, receivedAt } = opened;

  const mapped = mapCdpBody(body, { receivedAt, pathType, newMessageId: () => newMessageId(receivedAt) });
  if (!mapped.ok) {
    if (mapped.reason === "too_many_messages") return failure(c, "batch_too_large", mapped.message);
    const refused = await admitInvalid(c, grant);
    if (refused !== null) return refused;
    return failure(c, "invalid_request", mapped.message, [{ path: mapped.path ?? "", message: mapped.message }]);
  }

  const { messages, rejections, redactions, lone, count } = mapped;
  const [rejection] = rejections;
  if (lone && rejection?.code === "message_too_large") return failure(c, "message_too_large", rejection.message);

  const written = await write(c, grant, count, { source: "cdp", receivedAt, messages, rejections });
  if (written instanceof Response) return written;
  if (lone && rejection !== undefined && !rejection.unasked) {
    return failure(c, "invalid_message", rejection.message, [
      { path: rejection.path ?? "", message: rejection.message },
    ]);
  }

  const { stored, duplicates, account, user } = written;
  return c.json({
    ok: true,
    deduped: duplicates > 0 && stored === 0,
    source: "cdp",
    account,
    user,
    stored,
    duplicates,
    rejected: rejections.map(({ index, messageId, code, message, path }) => ({
      index,
      ...(messageId === null ? {} : { messageId }),
      code,
      message,
      ...(path === null ? {} : { path }),
    })),
    redacted: redactions.map(({ index, messageId, paths }) => ({
      index,
      ...(messageId === null ? {} : { messageId }),
      paths,
    })),
  });
}

import { MAX_BATCH_BYTES } from "../../config.ts";
import { isTooLarge, mapCdpBody, readCdpBody } from "../../core/ingest/cdp-body.ts";
import { TOO_LARGE } from "../../core/ingest/from-cdp.ts";
import { answerJson } from "../../edge/answer.ts";
import type { AppContext } from "../../edge/context.ts";
import { failure } from "../../edge/errors.ts";
import { openRequest, store } from "./ingest.ts";
import { newMessageId } from "../message-id.ts";
import { consume } from "../middleware/write-limit.ts";

/**
 * Ingests the messages of a Segment-style sender. They are mapped once they are let in: of a flood that is refused they
 * are counted, and a lone one measured.
 * @param pathType the message type that the path names, or `null`
 */
export async function ingestCdp(c: AppContext, pathType: string | null): Promise<Response> {
  const opened = await openRequest(c, { maxBytes: MAX_BATCH_BYTES, code: "batch_too_large" });
  if (opened instanceof Response) return opened;
  const { grant, body, receivedAt } = opened;

  const read = readCdpBody(body);
  if (!read.ok && read.reason === "too_many_messages") return failure(c, "batch_too_large", read.message);
  if (read.ok && isTooLarge(read, pathType)) return failure(c, "message_too_large", TOO_LARGE);

  const charges = await consume(c, grant, read.ok ? read.items.length : 1);
  if (charges instanceof Response) return charges;
  if (!read.ok) {
    return failure(c, "invalid_request", read.message, [{ path: read.path ?? "", message: read.message }]);
  }

  const options = { receivedAt, pathType, newMessageId: () => newMessageId(receivedAt) };
  const { messages, rejections, redactions } = mapCdpBody(read, options);
  const written = await store(c, grant, charges, { source: "cdp", receivedAt, messages, rejections });
  if (written instanceof Response) return written;
  const [rejection] = rejections;
  if (read.lone && rejection !== undefined && !rejection.unasked) {
    return failure(c, "invalid_message", rejection.message, [
      { path: rejection.path ?? "", message: rejection.message },
    ]);
  }

  const { stored, duplicates, account, user } = written;
  return answerJson(c, {
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

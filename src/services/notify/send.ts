/** Sends a notification. A receiver decides nothing but the status, and can't make the service ask another address. */
import type { SendResult } from "../../core/notify/retry.ts";

const TIMEOUT_MS = 15_000;
/** More of a response isn't read. */
const MAX_RESPONSE_BYTES = 16_384;

/** @param timeoutMs for the whole response @returns the status, or why there is none: a redirect counts as a response */
export async function send(
  url: string,
  headers: Readonly<Record<string, string>>,
  body: string,
  timeoutMs = TIMEOUT_MS,
): Promise<SendResult> {
  try {
    const response = await fetch(url, {
      method: "POST",
      redirect: "manual",
      headers: { "content-type": "application/json", "user-agent": "Behavior-Ingest", ...headers },
      body,
      signal: AbortSignal.timeout(timeoutMs),
    });
    await discard(response);
    return { status: response.status, retryAfter: response.headers.get("retry-after") };
  } catch (error) {
    const isTimeout = error instanceof Error && error.name === "TimeoutError";
    return { status: null, fault: isTimeout ? "timed_out" : "unreachable" };
  }
}

/** Reads and drops a body, so that the connection is free again. It may name people, so nothing keeps it. */
async function discard({ body }: Response): Promise<void> {
  let left = MAX_RESPONSE_BYTES;
  for await (const chunk of body ?? []) if ((left -= chunk.byteLength) <= 0) break;
}

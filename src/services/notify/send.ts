/** Sends a notification. A receiver decides nothing but the status, and can't make the service ask another address. */
import type { SendResult } from "../../core/notify/retry.ts";

const TIMEOUT_MS = 15_000;

/** @param timeoutMs for the headers of the response @returns the status, or why no response came. A redirect counts as a response */
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
    // The status says what the receiver did. Its body may name people, come slowly or never end.
    await response.body?.cancel().catch(() => undefined);
    return { status: response.status, retryAfter: response.headers.get("retry-after") };
  } catch (error) {
    const isTimeout = error instanceof Error && error.name === "TimeoutError";
    return { status: null, fault: isTimeout ? "timed_out" : "unreachable" };
  }
}

/** Repeats requests that the service was too busy for. */

export interface RetryOptions {
  /** How often a request is sent at most. Default: 6. */
  maxAttempts?: number;
  /** Is called before each pause. */
  onRetry?: (response: Response, seconds: number) => void;
}

const MAX_ATTEMPTS = 6;
const RETRIED = new Set([429, 500, 503]);
const DEFAULT_PAUSE_SECONDS = 1;

/** Returns a `fetch` that resolves to the first response with another status than 429, 500 or 503, or to the last one. */
export const retrying =
  ({ maxAttempts = MAX_ATTEMPTS, onRetry }: RetryOptions = {}) =>
  async (request: Request): Promise<Response> => {
    for (let attempt = 1; ; attempt += 1) {
      // A request can be sent once, because its body is a stream.
      const response = await fetch(request.clone());
      if (attempt >= maxAttempts || !RETRIED.has(response.status)) return response;
      await response.body?.cancel();
      const seconds = Number(response.headers.get("Retry-After") ?? DEFAULT_PAUSE_SECONDS);
      onRetry?.(response, seconds);
      await pause(seconds, request.signal);
    }
  };

/** @throws the signal's reason when it aborts */
function pause(seconds: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const abort = () => {
      clearTimeout(timer);
      reject(signal.reason);
    };
    const timer = setTimeout(() => {
      signal.removeEventListener("abort", abort);
      resolve();
    }, seconds * 1_000);
    if (signal.aborted) abort();
    else signal.addEventListener("abort", abort, { once: true });
  });
}

/** Repeats requests that the service was too busy for. */

export interface RetryOptions {
  /** How often a request is sent at most. Default: 6. */
  maxAttempts?: number;
  /** Is called before each pause. */
  onRetry?: (response: Response, seconds: number) => void;
}

const MAX_ATTEMPTS = 6;
const RETRIED = new Set([429, 500, 503]);
/** Requests that would create something twice. The service refuses with 429 before it does anything. */
const CREATES = /\/admin\/workspaces(?:\/[^/]+\/keys)?$/;
const DEFAULT_PAUSE_SECONDS = 1;

/**
 * Returns a `fetch` that resolves to the first response with another status than 429, 500 or 503, or to the last one. It
 * repeats the creation of a workspace or a key only after 429.
 */
export const retrying =
  ({ maxAttempts = MAX_ATTEMPTS, onRetry }: RetryOptions = {}) =>
  async (request: Request): Promise<Response> => {
    for (let attempt = 1; ; attempt += 1) {
      // A request can be sent once, because its body is a stream.
      const response = await fetch(request.clone());
      if (attempt >= maxAttempts || !isRepeatable(request, response)) return response;
      await response.body?.cancel();
      const seconds = pauseOf(response);
      onRetry?.(response, seconds);
      await pause(seconds, request.signal);
    }
  };

const isRepeatable = ({ method, url }: Request, { status }: Response): boolean =>
  RETRIED.has(status) && (status === 429 || method !== "POST" || !CREATES.test(new URL(url).pathname));

/** `Retry-After` has seconds or, from a proxy, a date. */
function pauseOf({ headers }: Response): number {
  const value = headers.get("Retry-After") ?? "";
  const seconds = /^\d+$/.test(value) ? Number(value) : (Date.parse(value) - Date.now()) / 1_000;
  return Number.isNaN(seconds) ? DEFAULT_PAUSE_SECONDS : Math.max(0, seconds);
}

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

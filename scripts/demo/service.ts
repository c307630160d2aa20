/** Connects to the running service. */
import { ApiError, type Client, createClient } from "../../clients/typescript/src/client.ts";
import { sayBusy } from "../request.ts";

/** A reason why the demo can't go on: printed without a stack. */
export class DemoFailure extends Error {
  override name = "DemoFailure";
}

export interface Service {
  url: string;
  /** The admin token. */
  token: string;
  /** Cancels calls. */
  stop: AbortSignal;
}

/** @param key an API key, or the admin token */
export const connect = (url: string, key: string, signal?: AbortSignal): Client =>
  createClient({ url, key, onRetry: sayBusy, ...(signal && { signal }) });

/** Explains why a call failed, in a sentence for whoever runs the demo. @returns other errors as they are */
export function explain(error: unknown, url: string): unknown {
  if (error instanceof ApiError) {
    const { status, url: called } = error.response;
    return status === 401
      ? "The service has another admin token. Give npm run demo the ADMIN_TOKEN of npm start."
      : `${new URL(called).pathname} returned ${status}: ${error.message}`;
  }
  // `fetch` throws these.
  if (error instanceof TypeError && error.cause instanceof Error)
    return `Nothing answers at ${url}. Run npm start in another terminal first. Give both commands the same PORT.`;
  return error instanceof DemoFailure ? error.message : error;
}

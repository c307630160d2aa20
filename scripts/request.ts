/** Sends requests that are safe to repeat, and says why nothing happens during longer pauses. */
import { retrying } from "../clients/typescript/src/retry.ts";

const LONG_PAUSE_SECONDS = 5;

export function sayBusy({ status }: Response, seconds: number): void {
  if (seconds >= LONG_PAUSE_SECONDS) console.log(`The service is busy (${status}). Retrying in ${seconds} s…`);
}

export const request = retrying({ onRetry: sayBusy });

/** The context that every entry point passes to a use case. */
import type { CallTimes } from "../call-times.ts";

/** Fields of the request's log line. Never a body, a key, a property or a path: paths contain external ids. */
export interface RequestLogFields extends CallTimes {
  operation?: string;
  workspace?: string;
  keyId?: string;
  /** Messages in the request, and how many of them were stored, duplicates or rejected. */
  messages?: number;
  stored?: number;
  duplicates?: number;
  rejected?: number;
  /** Why a request failed, for operators. */
  fault?: string;
  /** The status of an error that is in a response with status 200, as agents get errors. */
  status?: number;
}

export interface Call {
  env: Env;
  /** Use cases add fields to it. */
  logFields: RequestLogFields;
  /** The client's network address, where the platform gives it. */
  clientAddress?: string | undefined;
  /** Keeps the request alive until the work is done. */
  keepAlive: (work: Promise<void>) => void;
}

/** The messages between the bench and the process that sends requests. */
import { z } from "zod";

/** The form of a request. Every message has a new id, except in `duplicate`. */
export interface Payload {
  form: "capture" | "track" | "batch" | "duplicate";
  /** Messages in a request. */
  messages: number;
}

export interface Job {
  url: string;
  /** Requests take these in turn, because each key has a limit. */
  keys: string[];
  payload: Payload;
  /** The expected status. Any other one ends the run. */
  status: number;
  /** Requests in flight at a time, each on its own connection. */
  connections: number;
  durationMs: number;
  /** A constant rate, whether earlier requests were answered or not. Default: as fast as responses arrive. */
  perSecond?: number;
}

export const Outcome = z.object({
  requests: z.number(),
  elapsedMs: z.number(),
  /** Milliseconds from the time a request was due to the end of its response. */
  p50: z.number(),
  p99: z.number(),
});
export type Outcome = z.infer<typeof Outcome>;

/** What the process that makes the load is told, and what it tells back. */

/** How the messages of a request look on the wire; each has an id of its own, but for `duplicate`. */
export interface Payload {
  form: "capture" | "track" | "batch" | "duplicate";
  /** Messages in a request. */
  messages: number;
}

export interface Job {
  url: string;
  /** One request after the other takes the next: a key has a limit. */
  keys: string[];
  payload: Payload;
  /** Every answer must have it: another one ends the run. */
  status: number;
  /** Requests in flight at a time, each on a connection of its own. */
  connections: number;
  durationMs: number;
  /** Requests begin at even distances, whether earlier ones were answered or not; default: as fast as they are answered. */
  perSecond?: number;
}

export interface Outcome {
  requests: number;
  elapsedMs: number;
  /** Milliseconds from when the request was due to the end of its answer. */
  p50: number;
  p99: number;
}

/** Messages between the benchmark and the process that sends. */

/** The form of the messages on the wire. Each message has a new id, except in `duplicate`. */
export interface Payload {
  form: "capture" | "track" | "batch" | "duplicate";
  /** Messages in a request. */
  messages: number;
}

export interface Job {
  url: string;
  /** Requests use them in turn, because each key has a limit. */
  keys: string[];
  payload: Payload;
  /** Any other status ends the run. */
  status: number;
  /** Requests in flight, each on its own connection. */
  connections: number;
  durationMs: number;
  /** Sends at this constant rate, answered or not. By default, each connection sends as soon as it is answered. */
  perSecond?: number;
}

export interface Outcome {
  requests: number;
  elapsedMs: number;
  /** Milliseconds from when the request was due to the end of its answer. */
  p50: number;
  p99: number;
}

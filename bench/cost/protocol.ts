/** What the bench and its Worker tell each other. */
import { z } from "zod";

import type { Workload } from "./traffic.ts";

/** When a workspace is folded: a task of the recompute runs if the tail is as long or as old, or is the day's first. */
export interface FoldPolicy {
  messages: number;
  ms: number;
}

export type Step =
  /** Stores the messages of a slot, or of a quiet day without a slot, in requests of `size` messages. */
  | { do: "send"; workload: Workload; day: number; slot: number | null; size: number }
  /** Runs the cron and everything that it queues. By default the service decides when to fold. */
  | { do: "run"; now: number; policy: FoldPolicy | null }
  /** Runs the cron, and what it queues for the archive, until nothing is left. */
  | { do: "archive"; now: number };

export type StepFigures = z.infer<typeof StepFigures>;
export const StepFigures = z.object({
  /** Those of a `send`, and the messages of it that are stored. */
  requests: z.number(),
  stored: z.number(),
  /** Of D1. */
  rowsRead: z.number(),
  rowsWritten: z.number(),
  /** Tasks that were queued and run. */
  tasks: z.number(),
  logLines: z.number(),
  /** Operations of R2. */
  bucketReads: z.number(),
  bucketWrites: z.number(),
  /** Of the database, at the end. */
  bytes: z.number(),
});

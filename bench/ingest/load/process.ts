/** The process that sends requests: one job after the other. */
import { drive } from "./drive.ts";
import type { Job } from "./job.ts";

process.on("message", (job: Job) => {
  drive(job).then(
    (outcome) => process.send?.({ outcome }),
    (error: unknown) => process.send?.({ error: String(error) }),
  );
});

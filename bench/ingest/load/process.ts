/** The process that makes the load: it does one job after the other, as it is told. */
import { drive } from "./drive.ts";
import type { Job } from "./job.ts";

process.on("message", (job: Job) => {
  drive(job).then(
    (outcome) => process.send?.({ outcome }),
    (error: unknown) => process.send?.({ error: String(error) }),
  );
});

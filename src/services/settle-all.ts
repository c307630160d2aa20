import { describeFault } from "../core/describe-fault.ts";

/**
 * Waits for all tasks, and logs those that failed.
 * @throws AggregateError when a task failed
 */
export async function settleAll(tasks: Promise<void>[]): Promise<void> {
  const results = await Promise.allSettled(tasks);
  const failures: unknown[] = results.flatMap((result) => (result.status === "rejected" ? [result.reason] : []));
  if (failures.length === 0) return;
  for (const failure of failures) {
    console.error(JSON.stringify({ operation: "scheduled", fault: describeFault(failure) }));
  }
  throw new AggregateError(failures, `${failures.length} of ${tasks.length} tasks failed`);
}

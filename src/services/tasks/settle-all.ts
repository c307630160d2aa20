import { describeFault } from "../../core/describe-fault.ts";

/** Waits for all parts of an operation, and logs those that failed. @throws AggregateError when a part failed */
export async function settleAll(operation: string, parts: readonly Promise<unknown>[]): Promise<void> {
  const settled = await Promise.allSettled(parts);
  const failures: unknown[] = settled.flatMap((one) => (one.status === "rejected" ? [one.reason] : []));
  for (const failure of failures) console.error(JSON.stringify({ operation, fault: describeFault(failure) }));
  if (failures.length > 0) throw new AggregateError(failures, `${failures.length} of ${parts.length} tasks failed`);
}

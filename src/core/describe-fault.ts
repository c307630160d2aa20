/** Describes an error in one line for the log. D1's errors name tables and columns but quote no values: see db/client/faults.ts. */
export function describeFault(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const cause = error.cause instanceof Error ? ` (${error.cause.name}: ${error.cause.message})` : "";
  return `${error.name}: ${error.message}${cause}`;
}

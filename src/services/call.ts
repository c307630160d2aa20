/** The context that every entry point passes to a use case. */

/** Fields of the request's log line. Never a body, a key, a property or a path: paths contain external ids. */
export interface RequestLogFields {
  operation?: string;
  workspace?: string;
  keyId?: string;
  /** Messages in the request, and how many of them were stored, duplicates or rejected. */
  messages?: number;
  stored?: number;
  duplicates?: number;
  rejected?: number;
  limiterMs?: number;
  databaseMs?: number;
  /** Why a request failed, for operators. */
  fault?: string;
}

export interface Call {
  env: Env;
  /** Use cases add fields to it. */
  logFields: RequestLogFields;
  /** The client's network address, where the platform gives it. */
  clientAddress?: string | undefined;
}

export async function timed<T>(
  { logFields }: Pick<Call, "logFields">,
  field: "limiterMs" | "databaseMs",
  work: () => Promise<T>,
): Promise<T> {
  const start = Date.now();
  try {
    return await work();
  } finally {
    logFields[field] = (logFields[field] ?? 0) + Date.now() - start;
  }
}

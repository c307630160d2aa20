/**
 * Waits for a promise for a limited time.
 * @returns `undefined` when the time is up. The timer also tells the runtime that a request which waits for another one
 *   isn't hung.
 */
export async function within<T>(ms: number, promise: Promise<T>): Promise<T | undefined> {
  const late = Promise.withResolvers<undefined>();
  const timer = setTimeout(() => late.resolve(undefined), ms);
  try {
    return await Promise.race([promise, late.promise]);
  } finally {
    clearTimeout(timer);
  }
}

/**
 * Limits how often a reader reads, because a database runs one transaction at a time for all its workspaces, and how often
 * a workspace has requests sent to other hosts. Cloudflare counts approximately, in each location separately. `wrangler.toml`
 * has the limits. Messages have a limit of their own.
 */

/** @param reader the id of a key; `admin` for the administrators in the console */
export const mayRead = (env: Env, reader: string): Promise<boolean> => isWithin(env.READ_LIMITER, reader);

/** Whether a workspace may send a notification by hand now. */
export const maySend = (env: Env, workspaceId: string): Promise<boolean> => isWithin(env.SEND_LIMITER, workspaceId);

async function isWithin(limiter: RateLimit, key: string): Promise<boolean> {
  // Honest callers must not suffer when the count fails.
  const { success } = await limiter.limit({ key }).catch(() => ({ success: true }));
  return success;
}

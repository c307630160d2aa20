/**
 * Limits how often a reader reads, because a database runs one transaction at a time for all its workspaces. Cloudflare
 * counts approximately, in each location separately. `wrangler.toml` has the limit. Writes have a limit of their own.
 */

/** @param reader the id of a key; `admin` for the administrators in the console */
export async function mayRead(env: Env, reader: string): Promise<boolean> {
  // Honest readers must not suffer when the count fails.
  const { success } = await env.READ_LIMITER.limit({ key: reader }).catch(() => ({ success: true }));
  return success;
}

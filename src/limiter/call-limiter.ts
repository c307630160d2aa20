/** The workspace's object did not answer, or has more to do than it can. */
export class LimiterUnavailable extends Error {
  constructor(cause: unknown) {
    super("the write limiter is unavailable", { cause });
    this.name = "LimiterUnavailable";
  }
}

type LimiterStub = ReturnType<Env["WRITE_LIMITER"]["getByName"]>;

/**
 * Calls the workspace's object, once more on a fresh stub where the platform says that may help.
 * @throws LimiterUnavailable
 */
export async function askObject<T>(
  env: Env,
  workspaceId: string,
  call: (object: LimiterStub) => Promise<T>,
): Promise<T> {
  const attempt = () => call(env.WRITE_LIMITER.getByName(workspaceId));
  try {
    return await attempt();
  } catch (error) {
    if (!mayRepeat(error)) throw new LimiterUnavailable(error);
  }
  try {
    return await attempt();
  } catch (error) {
    throw new LimiterUnavailable(error);
  }
}

/** The platform marks its errors: `overloaded` must be left alone. */
function mayRepeat(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  const overloaded = "overloaded" in error && error.overloaded === true;
  return "retryable" in error && error.retryable === true && !overloaded;
}

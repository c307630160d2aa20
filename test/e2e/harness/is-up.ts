import type { ProcessGroup } from "./process-group.ts";
import { until } from "./until.ts";

/** The end of the last command that `npm start` prints when all is up. */
const LAST_WORDS = "$READ_KEY";
const UP_MS = 90_000;

/** Waits until `npm start` has printed the last line that it prints, and throws all it printed when that doesn't come. */
export async function isUp(group: ProcessGroup): Promise<void> {
  const settled = () => group.output().includes(LAST_WORDS) || group.hasEnded();
  try {
    await until(settled, { withinMs: UP_MS, what: "npm start" });
    if (group.hasEnded()) throw new Error(`It ended with exit code ${group.exitCode()}`);
  } catch (error) {
    await group.kill();
    throw new Error(`The service did not start. It printed:\n${group.output()}`, { cause: error });
  }
}

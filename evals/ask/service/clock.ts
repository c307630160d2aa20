/**
 * Stops the process's clock at the evaluation's moment, so that a question means the same on every run. The app reads
 * the time by itself, as it does when deployed.
 */
import { mock } from "node:test";

export const stopClockAt = (now: number): void => mock.timers.enable({ apis: ["Date"], now });

/** The app logs a line for each request, which would drown the report. */
export function silenceLog(): void {
  console.log = () => undefined;
}

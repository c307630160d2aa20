import { CANARY_MARK } from "./hostile-values.ts";

const API_KEY = /bik_[0-9A-Za-z]{30}/;
const MAX_KEPT = 20;

/** Reads the Worker's log, and keeps the lines that repeat what was sent or reveal a secret. */
export class LogCheck {
  lines = 0;
  /** Beside whatever looks like a key. */
  secrets: readonly string[] = [];
  readonly problems: string[] = [];

  read(line: string): void {
    this.lines += 1;
    // The log repeats a sender's own request id on purpose.
    const rest = line.replace(/"requestId":"[^"]*"/, "");
    const reveals =
      rest.includes(CANARY_MARK) || API_KEY.test(rest) || this.secrets.some((secret) => rest.includes(secret));
    if (reveals && this.problems.length < MAX_KEPT) this.problems.push(`the log reveals: ${line}`);
  }
}

/** Reads the lines of the Worker's log: they say nothing of a sender's, and no secret. */
import { CANARY_MARK } from "./chance.ts";

const API_KEY = /bik_[0-9A-Za-z]{30}/;
const MOST_KEPT = 20;

export class LogWatch {
  #lines = 0;
  #secrets: readonly string[] = [];
  readonly #telling: string[] = [];

  /** @param secrets besides whatever looks like a key */
  watchFor(secrets: readonly string[]): void {
    this.#secrets = secrets;
  }

  read(line: string): void {
    this.#lines += 1;
    const tells =
      line.includes(CANARY_MARK) || API_KEY.test(line) || this.#secrets.some((secret) => line.includes(secret));
    if (tells && this.#telling.length < MOST_KEPT) this.#telling.push(line);
  }

  get lines(): number {
    return this.#lines;
  }

  /** Lines that tell what none may. */
  get telling(): readonly string[] {
    return this.#telling;
  }
}

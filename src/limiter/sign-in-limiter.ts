/**
 * Slows the guessing of secrets down: one object for each address that tries to sign in to the console. A try is
 * written down before it is answered, since nothing keeps an object in memory between two of them, and forgotten when it
 * counts no more.
 */
import { DurableObject } from "cloudflare:workers";

import { SIGN_IN_POLICY } from "../core/limit/policy.ts";
import { admit, EMPTY_WINDOW, giveBack, type WriteWindow } from "../core/limit/write-window.ts";

export class SignInLimiter extends DurableObject<Env> {
  readonly #kv = this.ctx.storage.kv;

  /**
   * Counts a try.
   * @returns 0 when it may be made, else the milliseconds until the next one may
   */
  async tryNow(): Promise<number> {
    const decision = admit(this.#window(), 1, Date.now(), SIGN_IN_POLICY);
    if (!decision.admitted) return decision.retryAfterMs;
    this.#kv.put("window", decision.state);
    await this.ctx.storage.setAlarm(Date.now() + SIGN_IN_POLICY.windowMs);
    return 0;
  }

  /** Takes the last try back: it was right. */
  succeeded(): void {
    const window = this.#window();
    const last = window.charges.at(-1);
    if (last !== undefined) this.#kv.put("window", giveBack(window, [{ ...last, cost: 1 }]));
  }

  override async alarm(): Promise<void> {
    await this.ctx.storage.deleteAll();
  }

  #window(): WriteWindow {
    return this.#kv.get<WriteWindow>("window") ?? EMPTY_WINDOW;
  }
}

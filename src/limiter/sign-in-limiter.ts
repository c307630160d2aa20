/**
 * Slows down attempts to guess a secret: one Durable Object per network address that signs in to the console. It stores
 * each attempt before it answers, because nothing keeps it in memory between two attempts, and deletes it once it no
 * longer counts.
 */
import { DurableObject } from "cloudflare:workers";

import { SIGN_IN_POLICY } from "../core/limit/policy.ts";
import { consume, EMPTY_WINDOW, refund, type WriteWindow } from "../core/limit/write-window.ts";

export class SignInLimiter extends DurableObject<Env> {
  readonly #kv = this.ctx.storage.kv;

  /**
   * Counts an attempt.
   * @returns 0 if it is allowed, or else the milliseconds until the next one is
   */
  async consume(): Promise<number> {
    const decision = consume(this.#window(), 1, Date.now(), SIGN_IN_POLICY);
    if (!decision.admitted) return decision.retryAfterMs;
    this.#kv.put("window", decision.state);
    await this.ctx.storage.setAlarm(Date.now() + SIGN_IN_POLICY.windowMs);
    return 0;
  }

  refund(): void {
    const window = this.#window();
    const last = window.charges.at(-1);
    if (last !== undefined) this.#kv.put("window", refund(window, [{ ...last, cost: 1 }]));
  }

  override async alarm(): Promise<void> {
    await this.ctx.storage.deleteAll();
  }

  #window(): WriteWindow {
    return this.#kv.get<WriteWindow>("window") ?? EMPTY_WINDOW;
  }
}

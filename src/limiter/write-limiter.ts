/**
 * The write limit's one place of decision for a workspace, so that two requests in two data centres see one limit.
 * It loads, calls the pure step of `core/limit`, and saves.
 *
 * What it saves is chosen so that a usual request writes nothing. Charges ahead are saved before the answer goes out:
 * they bind for longer than the object may live. Charges within the window are kept in memory only, and a restart may
 * forget them. The counters are saved by an alarm, at most once a minute.
 */
import { DurableObject } from "cloudflare:workers";
import { DEFAULT_WRITE_LIMIT, WRITE_WINDOW_MS } from "../core/limit/policy.ts";
import { admit, type Charge, EMPTY_WINDOW, giveBack, type WriteWindow } from "../core/limit/write-window.ts";

const SAVE_COUNTERS_EVERY_MS = 60_000;
const REVOKED_PREFIX = "revoked:";

/** `cost` is the number of messages, from 1 up. */
export interface WriteRequest {
  keyId: string;
  cost: number;
}

interface Quota {
  limit: number;
  /** Places free now, after the decision. */
  left: number;
  /** Time until the whole quota is free. */
  resetMs: number;
}

export type Admission =
  | ({ outcome: "admitted"; charges: Charge[] } & Quota)
  | ({ outcome: "refused"; retryAfterMs: number } & Quota)
  | { outcome: "revoked" };

/** Numbers of messages. They may lag behind by a minute after a restart. */
export interface WriteCounters {
  admitted: number;
  refused: number;
}

export class WriteLimiter extends DurableObject<Env> {
  readonly #kv = this.ctx.storage.kv;
  readonly #revoked = new Set<string>();
  #limit = DEFAULT_WRITE_LIMIT;
  #window = EMPTY_WINDOW;
  #counters: WriteCounters = { admitted: 0, refused: 0 };
  #saveScheduled = false;

  constructor(ctx: DurableObjectState, env: Env) {
    super(ctx, env);
    this.#load();
  }

  /** Asks to write now. A revoked key is not charged, nor is a request that is refused. */
  admit({ keyId, cost }: WriteRequest): Admission {
    if (this.#revoked.has(keyId)) return { outcome: "revoked" };

    const policy = { limit: this.#limit, windowMs: WRITE_WINDOW_MS };
    const decision = admit(this.#window, cost, Date.now(), policy);
    const { state, left, resetMs } = decision;
    const quota = { limit: this.#limit, left, resetMs };
    this.#window = state;

    if (!decision.admitted) {
      this.#count({ admitted: 0, refused: cost });
      return { outcome: "refused", retryAfterMs: decision.retryAfterMs, ...quota };
    }
    if (decision.charges.some(({ at }) => at > state.now)) this.#kv.put("window", state);
    this.#count({ admitted: cost, refused: 0 });
    return { outcome: "admitted", charges: decision.charges, ...quota };
  }

  /** Takes back what an admission charged: for when it is certain that nothing was stored. */
  giveBack(charges: Charge[]): void {
    this.#window = giveBack(this.#window, charges);
    if (this.#kv.get("window") !== undefined) this.#kv.put("window", this.#window);
    this.#count({ admitted: -charges.reduce((sum, { cost }) => sum + cost, 0), refused: 0 });
  }

  /** @param limit messages per window, an integer from 1 up; holds from the next request on */
  setLimit(limit: number): void {
    this.#kv.put("limit", limit);
    this.#limit = limit;
  }

  /** Refuses the key from the next request on. */
  revokeKey(keyId: string): void {
    this.#kv.put(REVOKED_PREFIX + keyId, true);
    this.#revoked.add(keyId);
  }

  counters(): WriteCounters {
    return this.#counters;
  }

  /** Leaves nothing stored. Keys known to be revoked stay refused for as long as the object lives. */
  async erase(): Promise<void> {
    await this.ctx.storage.deleteAlarm();
    await this.ctx.storage.deleteAll();
    this.#load();
  }

  override alarm(): void {
    this.#saveScheduled = false;
    this.#kv.put("counters", this.#counters);
  }

  #load(): void {
    this.#limit = this.#kv.get<number>("limit") ?? DEFAULT_WRITE_LIMIT;
    this.#window = this.#kv.get<WriteWindow>("window") ?? EMPTY_WINDOW;
    this.#counters = this.#kv.get<WriteCounters>("counters") ?? { admitted: 0, refused: 0 };
    this.#saveScheduled = false;
    for (const [key] of this.#kv.list({ prefix: REVOKED_PREFIX })) {
      this.#revoked.add(key.slice(REVOKED_PREFIX.length));
    }
  }

  #count({ admitted, refused }: WriteCounters): void {
    this.#counters = {
      // A restart may have forgotten the admission that is given back.
      admitted: Math.max(0, this.#counters.admitted + admitted),
      refused: this.#counters.refused + refused,
    };
    if (this.#saveScheduled) return;
    this.#saveScheduled = true;
    this.ctx.waitUntil(this.#scheduleSave());
  }

  async #scheduleSave(): Promise<void> {
    const { storage } = this.ctx;
    if ((await storage.getAlarm()) !== null) return;
    // No answer waits for the alarm to be durable: the counters may lag.
    await storage.setAlarm(Date.now() + SAVE_COUNTERS_EVERY_MS, { allowUnconfirmed: true });
  }
}

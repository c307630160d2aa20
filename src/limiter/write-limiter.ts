/**
 * The write limit's one place of decision for a workspace, so that two requests in two data centres see one limit.
 * It loads, calls the pure step of `core/limit`, and saves.
 *
 * What it saves is chosen so that a usual request writes nothing. Charges ahead are saved before the answer goes out:
 * they bind for longer than the object may live. Charges within the window are kept in memory only, and a restart may
 * forget them. The counters are saved when it has been quiet for a while: an idle object is put out of memory after
 * ten seconds, and an alarm after that would find them gone. A pending timer keeps it there.
 */
import { DurableObject } from "cloudflare:workers";

import { KEY_CACHE_MS } from "../config.ts";
import { DEFAULT_WRITE_LIMIT, WRITE_WINDOW_MS } from "../core/limit/policy.ts";
import { admit, type Charge, EMPTY_WINDOW, giveBack, type WriteWindow } from "../core/limit/write-window.ts";

const SAVE_WHEN_QUIET_MS = 5_000;
const SAVE_AT_LATEST_MS = 60_000;
/** Longer than an edge may remember a key of the erased workspace. */
const REFUSE_AFTER_ERASURE_MS = 2 * KEY_CACHE_MS;
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

/** Numbers of messages. A crash may cost what was counted since they were saved, a minute's at most. */
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
  #countedAt = 0;
  /** Runs while there is something to save. */
  #save: ReturnType<typeof setTimeout> | null = null;
  #erased = false;

  constructor(ctx: DurableObjectState, env: Env) {
    super(ctx, env);
    this.#load();
  }

  /** Asks to write now. A revoked key is not charged, nor is a request that is refused. */
  admit({ keyId, cost }: WriteRequest): Admission {
    if (this.#erased || this.#revoked.has(keyId)) return { outcome: "revoked" };

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
    if (this.#erased) return;
    this.#window = giveBack(this.#window, charges);
    if (this.#kv.get("window") !== undefined) this.#kv.put("window", this.#window);
    this.#count({ admitted: -charges.reduce((sum, { cost }) => sum + cost, 0), refused: 0 });
  }

  /** @param limit messages per window, an integer from 1 up; holds from the next request on */
  setLimit(limit: number): void {
    if (this.#erased) return;
    this.#kv.put("limit", limit);
    this.#limit = limit;
  }

  /** Refuses the key from the next request on. */
  revokeKey(keyId: string): void {
    if (this.#erased) return;
    this.#kv.put(REVOKED_PREFIX + keyId, true);
    this.#revoked.add(keyId);
  }

  counters(): WriteCounters {
    return this.#counters;
  }

  /**
   * Leaves nothing stored. Edges may know keys of the workspace for a while yet: all are refused, and the timer keeps
   * the object in memory for so long.
   */
  async erase(): Promise<void> {
    clearTimeout(this.#save);
    this.#erased = true;
    await this.ctx.storage.deleteAll();
    setTimeout(() => undefined, REFUSE_AFTER_ERASURE_MS);
  }

  /** Called by the timer; a test may call it sooner. */
  saveCounters(): void {
    if (this.#erased) return;
    clearTimeout(this.#save);
    this.#save = null;
    this.#kv.put("counters", this.#counters);
  }

  #load(): void {
    this.#limit = this.#kv.get<number>("limit") ?? DEFAULT_WRITE_LIMIT;
    this.#window = this.#kv.get<WriteWindow>("window") ?? EMPTY_WINDOW;
    this.#counters = this.#kv.get<WriteCounters>("counters") ?? { admitted: 0, refused: 0 };
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
    this.#countedAt = Date.now();
    this.#save ??= this.#saveLater(this.#countedAt, SAVE_WHEN_QUIET_MS);
  }

  /** One timer for all that is counted meanwhile: to set one anew for each request costs more than to decide on it. */
  #saveLater(unsavedSince: number, waitMs: number): ReturnType<typeof setTimeout> {
    return setTimeout(() => {
      const now = Date.now();
      const wait = Math.min(this.#countedAt + SAVE_WHEN_QUIET_MS, unsavedSince + SAVE_AT_LATEST_MS) - now;
      if (wait <= 0) this.saveCounters();
      else this.#save = this.#saveLater(unsavedSince, wait);
    }, waitMs);
  }
}

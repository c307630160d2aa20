/**
 * The write limit's one place of decision for a workspace, so that two requests in two data centres see one limit.
 * It loads, calls the pure step of `core/limit`, and saves.
 *
 * What it saves is chosen so that a usual request waits for no write. Charges ahead are saved before the answer goes
 * out: they bind for longer than the object may live. Charges within the window are kept in memory only, and a restart
 * may forget them. The counters are saved at once, and then after five seconds of going on by an alarm: an idle object
 * stays in memory for ten, so it finds them there. A timer would keep the object in memory, which is paid for: five
 * seconds of 128 MB are eight times the price of the row that a message costs which comes alone.
 *
 * What became of messages over time is saved with the counters, as one value, since each value that is put is paid for.
 */
import { DurableObject } from "cloudflare:workers";

import { KEY_CACHE_MS } from "../config.ts";
import { DEFAULT_WRITE_LIMIT, MOST_REFUSALS, REFUSAL_STANDS_MS, WRITE_WINDOW_MS } from "../core/limit/policy.ts";
import { admit, type Charge, EMPTY_WINDOW, giveBack, inUse, type WriteWindow } from "../core/limit/write-window.ts";
import { NO_COUNTS, NO_TRAFFIC, record, series, type Traffic } from "../core/traffic/traffic.ts";
import type { Admission, OutcomeReport, WorkspaceTraffic, WriteCounters, WriteRequest } from "./limiter-rpc.ts";

const SAVE_EVERY_MS = 5_000;
/** So long after it was asked for the traffic, edges are asked to report what becomes of requests at once. */
const WATCHED_MS = 15_000;
/** Longer than an edge may remember a key of the erased workspace. */
const REFUSE_AFTER_ERASURE_MS = 2 * KEY_CACHE_MS;
const REVOKED_PREFIX = "revoked:";

/** Without the traffic where an older version has saved it. */
type SavedCounters = Partial<WriteCounters & { traffic: Traffic }>;

export class WriteLimiter extends DurableObject<Env> {
  readonly #kv = this.ctx.storage.kv;
  readonly #revoked = new Set<string>();
  #limit = DEFAULT_WRITE_LIMIT;
  #window = EMPTY_WINDOW;
  #counters: WriteCounters = { admitted: 0, refused: 0 };
  #traffic = NO_TRAFFIC;
  #watchedAt = -Infinity;
  #unsaved = false;
  #alarmIsSet = false;
  #savedAt = -Infinity;
  #refusedAt = -Infinity;
  #refusals = { since: -Infinity, count: 0 };
  #erased = false;

  constructor(ctx: DurableObjectState, env: Env) {
    super(ctx, env);
    this.#load();
  }

  /** Asks to write now. A revoked key is not charged, nor is a request that is refused. */
  admit({ keyId, cost, report }: WriteRequest): Admission {
    if (this.#erased) return { outcome: "revoked" };
    if (report !== undefined) this.#record(report);
    if (this.#revoked.has(keyId)) return { outcome: "revoked" };

    const now = Date.now();
    const policy = { limit: this.#limit, windowMs: WRITE_WINDOW_MS };
    const decision = admit(this.#window, cost, now, policy);
    const { state, left, resetMs } = decision;
    const watched = now >= this.#watchedAt && now < this.#watchedAt + WATCHED_MS;
    const quota = { limit: this.#limit, left, resetMs, ...(watched && { watched }) };
    this.#window = state;

    if (!decision.admitted) {
      this.#count({ admitted: 0, refused: cost });
      const { retryAfterMs, fullMs } = decision;
      const standsForMs = Math.min(REFUSAL_STANDS_MS, this.#isFlooded(now) ? retryAfterMs : fullMs);
      if (standsForMs > 0) this.#refusedAt = now;
      return { outcome: "refused", retryAfterMs, standsForMs, ...quota };
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

  /** Counts messages that edges refused by a refusal of this object's. */
  countRefused(cost: number): void {
    if (!this.#erased) this.#count({ admitted: 0, refused: cost });
  }

  /** Takes what became of messages at once, from an edge that was told that somebody watches. */
  countOutcomes(report: OutcomeReport): void {
    if (this.#erased) return;
    this.#record(report);
    this.#saveSoon();
  }

  /** @param limit messages per window, an integer from 1 up; holds from the next request on */
  async setLimit(limit: number): Promise<void> {
    if (this.#erased) return;
    this.#kv.put("limit", limit);
    this.#limit = limit;
    await this.#noRefusalStands();
  }

  /** Refuses the key from the next request on. */
  async revokeKey(keyId: string): Promise<void> {
    if (this.#erased) return;
    this.#kv.put(REVOKED_PREFIX + keyId, true);
    this.#revoked.add(keyId);
    await this.#noRefusalStands();
  }

  counters(): WriteCounters {
    return this.#counters;
  }

  /** @param report what the edge that asks has not reported yet */
  traffic(report?: OutcomeReport): WorkspaceTraffic {
    if (report !== undefined) this.countOutcomes(report);
    const now = Date.now();
    this.#watchedAt = now;
    return {
      ...series(this.#traffic, now),
      limit: this.#limit,
      inUse: inUse(this.#window, now, WRITE_WINDOW_MS),
    };
  }

  /**
   * Leaves nothing stored. Edges may know keys of the workspace for a while yet: all are refused, and the timer keeps
   * the object in memory for so long.
   */
  async erase(): Promise<void> {
    this.#erased = true;
    this.#traffic = NO_TRAFFIC;
    await this.ctx.storage.deleteAll();
    setTimeout(() => undefined, REFUSE_AFTER_ERASURE_MS);
    await this.#noRefusalStands();
  }

  override alarm(): void {
    this.#alarmIsSet = false;
    if (this.#unsaved) this.saveCounters();
  }

  /** Called when they are due; a test may call it sooner. */
  saveCounters(): void {
    if (this.#erased) return;
    this.#unsaved = false;
    this.#savedAt = Date.now();
    // Nobody waits for it: an answer that held back until it is safe would be late for a number that may lag.
    const saved: SavedCounters = { ...this.#counters, traffic: this.#traffic };
    this.ctx.storage.put("counters", saved, { allowUnconfirmed: true }).catch(() => {
      this.#unsaved = true;
    });
  }

  /** Counts a refusal, and tells whether it is one of a flood. */
  #isFlooded(now: number): boolean {
    const { since } = this.#refusals;
    if (now < since || now >= since + REFUSAL_STANDS_MS) this.#refusals = { since: now, count: 0 };
    this.#refusals.count += 1;
    return this.#refusals.count > MOST_REFUSALS;
  }

  /** Until then edges may refuse by what was so before. */
  async #noRefusalStands(): Promise<void> {
    const leftMs = this.#refusedAt + REFUSAL_STANDS_MS - Date.now();
    if (leftMs > 0) await scheduler.wait(Math.min(leftMs, REFUSAL_STANDS_MS));
  }

  #load(): void {
    const limit = this.#kv.get<number>("limit");
    // One that was here before may have refused something just before it went.
    if (limit !== undefined) this.#refusedAt = Date.now();
    this.#limit = limit ?? DEFAULT_WRITE_LIMIT;
    this.#window = this.#kv.get<WriteWindow>("window") ?? EMPTY_WINDOW;
    const { admitted = 0, refused = 0, traffic = NO_TRAFFIC } = this.#kv.get<SavedCounters>("counters") ?? {};
    this.#counters = { admitted, refused };
    this.#traffic = traffic;
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
    if (refused > 0) {
      const now = Date.now();
      this.#traffic = record(this.#traffic, { ...NO_COUNTS, limited: refused }, now, now);
    }
    this.#saveSoon();
  }

  /** To be saved with what is counted next. */
  #record({ at, stored, duplicates, rejected }: OutcomeReport): void {
    this.#traffic = record(this.#traffic, { ...NO_COUNTS, stored, duplicates, rejected }, at, Date.now());
  }

  #saveSoon(): void {
    this.#unsaved = true;
    if (this.#alarmIsSet) return;
    const dueAt = this.#savedAt + SAVE_EVERY_MS;
    const now = Date.now();
    // A clock that stepped back must not put it off.
    if (now >= dueAt || now < this.#savedAt) {
      this.saveCounters();
    } else {
      this.#alarmIsSet = true;
      this.ctx.storage.setAlarm(dueAt, { allowUnconfirmed: true }).catch(() => {
        this.#alarmIsSet = false;
      });
    }
  }
}

/**
 * The write limiter: one Durable Object per workspace, so that two data centers share one limit. It loads its state,
 * calls the pure steps of `core/limit`, and saves.
 *
 * An ordinary request never waits for storage:
 * - Future charges are saved before the answer, because they may outlive the object. Charges inside the window stay in
 *   memory; a restart may forget them.
 * - Counters are saved at once, then by an alarm after five seconds, and each time after twice as long, up to a minute. An
 *   idle object leaves memory after ten seconds and forgets what it hasn't saved: about half of a burst, at most a minute's.
 *   A timer would keep the object in memory, and five seconds of memory cost eight times as much as the row that a lone
 *   message writes here. With a storage limit the counters are saved every five seconds, because the room is saved too.
 */
import { DurableObject } from "cloudflare:workers";

import { DIRECTORY, KEY_OUTAGE_MS } from "../config.ts";
import { DEFAULT_WRITE_LIMIT, WRITE_WINDOW_MS } from "../core/limit/policy.ts";
import {
  type Charge,
  addCharges,
  consume,
  type Decision,
  EMPTY_WINDOW,
  inUse,
  refund,
  type WriteWindow,
} from "../core/limit/write-window.ts";

const SAVE_AFTER_MS = { first: 5_000, most: 60_000 } as const;
/** Longer than an edge may use a cached key of the erased workspace. */
const REFUSE_AFTER_ERASURE_MS = 1.5 * KEY_OUTAGE_MS;
const REVOKED_PREFIX = "revoked:";
const KEY_WINDOW_PREFIX = "window:";
/** Browser keys without a limit share half of the workspace's, however many there are. */
const SHARED_WINDOW = "browsers";

/** The settings of a workspace that the directory decides and the limiter needs. */
export interface LimiterSettings {
  /** Messages per window, an integer from 1 up. */
  limit: number;
  /** Applies in place of `limit` while the workspace has an import, else `null`. */
  importLimit: number | null;
  /** The binding of the workspace's database. */
  database: string;
  /** How many messages fit until the storage is measured again; `null` without a storage limit. */
  room: number | null;
  /** From `nextVersion`. Older settings that come later are ignored. */
  version: number;
}

/** The state of the write limit, for admitted and refused requests alike. */
export interface WriteQuota {
  limit: number;
  left: number;
  /** Time until the whole quota is free. */
  resetMs: number;
}

interface Denial extends WriteQuota {
  outcome: "rate_limited";
  retryAfterMs: number;
}

export interface KeyCharges {
  window: string;
  charges: Charge[];
}

interface Admission {
  outcome: "admitted";
  /** What the workspace was charged. */
  charges: Charge[];
  /** What the key was charged, if it has a limit of its own, and in which window. */
  keyCharges?: KeyCharges;
  /** The binding of the workspace's database. The limiter knows it best: it takes part in every move. */
  database: string;
}

export type WriteRefusal =
  | Denial
  /** The key was revoked or its workspace erased since the key was looked up. */
  | { outcome: "unauthorized" }
  /** The workspace stores as much as it may. */
  | { outcome: "storage_full" };

/** A request without messages is admitted without a quota. */
export type WriteDecision = Admission | (Admission & WriteQuota) | WriteRefusal;

/** Messages that the write limit admitted and refused, for operators. */
interface WriteCounters {
  admitted: number;
  refused: number;
}

/** The write limit as the console and the administration show it. */
export interface WriteLimitUsage extends WriteCounters {
  limit: number;
  /** Messages charged in the window that ends now. */
  inUse: number;
  /** Present while senders are rate-limited: what the limit refused since a time, without a pause of a minute. */
  refusals?: Refusals;
}

interface Refusals {
  /** The times of the first and the last refusal, in milliseconds since the epoch. */
  since: number;
  until: number;
  messages: number;
}

const REFUSALS_END_AFTER_MS = 60_000;

/** Future charges may outlive the object, and so must be saved. */
const isFuture = (charges: readonly Charge[], { now }: WriteWindow): boolean => charges.some(({ at }) => at > now);

export class WriteLimiter extends DurableObject<Env> {
  readonly #kv = this.ctx.storage.kv;
  readonly #revokedKeys = new Set(
    Array.from(this.#kv.list({ prefix: REVOKED_PREFIX }), ([key]) => key.slice(REVOKED_PREFIX.length)),
  );
  readonly #settings: LimiterSettings = {
    limit: this.#kv.get("limit") ?? DEFAULT_WRITE_LIMIT,
    importLimit: this.#kv.get("importLimit") ?? null,
    database: this.#kv.get("database") ?? DIRECTORY,
    room: this.#kv.get("room") ?? null,
    version: this.#kv.get("version") ?? 0,
  };
  #window = this.#kv.get<WriteWindow>("window") ?? EMPTY_WINDOW;
  readonly #keyWindows = new Map(
    Array.from(this.#kv.list<WriteWindow>({ prefix: KEY_WINDOW_PREFIX }), ([key, window]) => [
      key.slice(KEY_WINDOW_PREFIX.length),
      window,
    ]),
  );
  #counters = this.#kv.get<WriteCounters>("counters") ?? { admitted: 0, refused: 0 };
  /** Only in memory: each use of the page that shows it keeps the object there. */
  #refusals: Refusals | null = null;
  #alarmIsSet = false;
  #savedAt = -Infinity;
  #saveAfterMs: number = SAVE_AFTER_MS.first;
  /** `null` while the workspace exists. */
  #erasedUntil = this.#kv.get<number>("erasedUntil") ?? null;

  /**
   * Charges a request if it fits. Refused requests and requests with a revoked key are not charged.
   * @param keyLimit the key's own limit, `"half"` of the workspace's that such keys share, or absent
   */
  consume({ keyId, cost, keyLimit }: { keyId: string; cost: number; keyLimit?: number | "half" }): WriteDecision {
    if (this.#erasedUntil !== null || this.#revokedKeys.has(keyId)) return { outcome: "unauthorized" };

    const { database, room } = this.#settings;
    const limit = this.#limit();
    if (cost === 0) return { outcome: "admitted", charges: [], database };
    if (room !== null && room <= 0) {
      this.#count({ refused: cost });
      return { outcome: "storage_full" };
    }

    const now = Date.now();
    const own = keyLimit === undefined ? null : this.#consumeOfKey(keyId, cost, now, keyLimit);
    if (own?.admitted === false) return this.#refuse(own, own.limit, cost, now);
    // A batch above the key's limit is charged at the key's pace, so that it leaves the rest to others.
    const [first, ...later] = own?.charges ?? [];
    const decision = consume(this.#window, first?.cost ?? cost, now, { limit, windowMs: WRITE_WINDOW_MS });
    const { left, resetMs } = decision;
    this.#window = decision.state;
    if (!decision.admitted) return this.#refuse(decision, limit, cost, now);

    const skew = own === null ? 0 : decision.state.now - own.state.now;
    const delayed = later.map((charge) => ({ ...charge, at: charge.at + skew }));
    this.#window = addCharges(decision.state, delayed);
    const charges = [...decision.charges, ...delayed];
    if (isFuture(charges, decision.state)) this.#kv.put("window", this.#window);
    this.#count({ admitted: cost });
    if (room !== null) this.#settings.room = room - cost;
    const admission = { outcome: "admitted", charges, database } as const;
    if (own === null) return { ...admission, limit, left, resetMs };
    this.#keyWindows.set(own.name, own.state);
    if (isFuture(own.charges, own.state)) this.#kv.put(KEY_WINDOW_PREFIX + own.name, own.state);
    // The sender sees the limit that it meets first.
    const tighter = own.left < left ? own : { limit, left, resetMs };
    const quota = { limit: tighter.limit, left: tighter.left, resetMs: tighter.resetMs };
    return { ...admission, keyCharges: { window: own.name, charges: own.charges }, ...quota };
  }

  #consumeOfKey(keyId: string, cost: number, now: number, keyLimit: number | "half") {
    const isShared = keyLimit === "half";
    const limit = Math.min(isShared ? Math.ceil(this.#settings.limit / 2) : keyLimit, this.#limit());
    const name = isShared ? SHARED_WINDOW : keyId;
    const window = this.#keyWindows.get(name) ?? EMPTY_WINDOW;
    return { ...consume(window, cost, now, { limit, windowMs: WRITE_WINDOW_MS }), limit, name };
  }

  #refuse(
    { retryAfterMs, left, resetMs }: Extract<Decision, { admitted: false }>,
    limit: number,
    cost: number,
    now: number,
  ): Denial {
    this.#count({ refused: cost });
    const { since = now, messages = 0 } = this.#recentRefusals(now) ?? {};
    this.#refusals = { since, until: now, messages: messages + cost };
    return { outcome: "rate_limited", retryAfterMs, limit, left, resetMs };
  }

  /** Refunds the charges of an admitted request that certainly stored nothing. */
  refund(charges: Charge[], ofKey?: KeyCharges): void {
    if (this.#erasedUntil !== null) return;
    this.#window = refund(this.#window, charges);
    if (this.#kv.get("window") !== undefined) this.#kv.put("window", this.#window);
    if (ofKey !== undefined) this.#refundKey(ofKey.window, ofKey.charges);
    const refunded = charges.reduce((sum, { cost }) => sum + cost, 0);
    this.#count({ admitted: -refunded });
    if (this.#settings.room !== null) this.#settings.room += refunded;
  }

  #refundKey(name: string, charges: Charge[]): void {
    const window = refund(this.#keyWindows.get(name) ?? EMPTY_WINDOW, charges);
    this.#keyWindows.set(name, window);
    if (this.#kv.get(KEY_WINDOW_PREFIX + name) !== undefined) this.#kv.put(KEY_WINDOW_PREFIX + name, window);
  }

  /** Numbers settings before they are read from the directory, so that the settings read last win, in any order of arrival. */
  nextVersion(): number {
    const version = this.#lastVersion() + 1;
    if (this.#erasedUntil === null) this.#kv.put("lastVersion", version);
    return version;
  }

  /** Changes settings for the next request on. Returns false when the workspace was erased. */
  configure(changed: Partial<LimiterSettings>): boolean {
    if (this.#erasedUntil !== null) return false;
    if (changed.version !== undefined && changed.version < this.#settings.version) return true;
    for (const [name, value] of Object.entries(changed)) this.#kv.put(name, value);
    // What an import has charged must not keep live senders waiting once it ends.
    if (changed.importLimit !== undefined && changed.importLimit !== this.#settings.importLimit) {
      this.#window = EMPTY_WINDOW;
      this.#kv.delete("window");
    }
    Object.assign(this.#settings, changed);
    return true;
  }

  revokeKey(keyId: string): void {
    if (this.#erasedUntil !== null) return;
    this.#kv.put(REVOKED_PREFIX + keyId, true);
    this.#revokedKeys.add(keyId);
  }

  /** Returns what a restored directory may not know, and whether a change of limits isn't copied from the directory yet. */
  facts(): LimiterSettings & { isBehind: boolean; revokedKeys: string[] } {
    const isBehind = this.#lastVersion() > this.#settings.version;
    return { ...this.#settings, isBehind, revokedKeys: [...this.#revokedKeys] };
  }

  #lastVersion(): number {
    return this.#kv.get<number>("lastVersion") ?? 0;
  }

  #limit(): number {
    return this.#settings.importLimit ?? this.#settings.limit;
  }

  usage(): WriteLimitUsage {
    const now = Date.now();
    const refusals = this.#recentRefusals(now);
    return {
      limit: this.#limit(),
      inUse: inUse(this.#window, now, WRITE_WINDOW_MS),
      ...this.#counters,
      ...(refusals !== null && { refusals }),
    };
  }

  #recentRefusals(now: number): Refusals | null {
    const isRecent = this.#refusals !== null && now - this.#refusals.until < REFUSALS_END_AFTER_MS;
    return isRecent ? this.#refusals : null;
  }

  /**
   * Deletes everything stored. Edges may still have keys of the workspace in their cache, so the object remembers for a
   * while, also across restarts, that it refuses every key.
   */
  async erase(): Promise<void> {
    const until = Date.now() + REFUSE_AFTER_ERASURE_MS;
    this.#erasedUntil = until;
    await this.ctx.storage.deleteAll();
    this.#kv.put("erasedUntil", until);
    await this.ctx.storage.setAlarm(until);
  }

  override async alarm(): Promise<void> {
    this.#alarmIsSet = false;
    this.saveCounters();
    if (this.#settings.room === null) this.#saveAfterMs = Math.min(2 * this.#saveAfterMs, SAVE_AFTER_MS.most);
    // An alarm that was set before the erasure may come during it.
    if (this.#erasedUntil !== null && Date.now() >= this.#erasedUntil) await this.ctx.storage.deleteAll();
  }

  /** Saves the counters. Public so that a test need not wait for the alarm. */
  saveCounters(): void {
    if (this.#erasedUntil !== null) return;
    this.#savedAt = Date.now();
    // Answers must not wait for this write: the counters may lag.
    const { room } = this.#settings;
    const saved = { counters: this.#counters, ...(room !== null && { room }) };
    this.ctx.storage.put(saved, { allowUnconfirmed: true }).catch(() => undefined); // the next save has them too
  }

  #count({ admitted = 0, refused = 0 }: Partial<WriteCounters>): void {
    // Never below 0: a restart may have forgotten the admission that is refunded.
    this.#counters = {
      admitted: Math.max(0, this.#counters.admitted + admitted),
      refused: this.#counters.refused + refused,
    };
    if (this.#alarmIsSet) return;
    const now = Date.now();
    const dueAt = this.#savedAt + this.#saveAfterMs;
    // A clock that steps back must not delay the next save.
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

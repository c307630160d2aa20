/**
 * Checks the write limit by what a sender can prove with its own clock.
 *
 * The limiter charges a request at a moment between its sending and the end of its answer. The sender knows no more,
 * and nothing here is estimated. Three rules follow:
 *
 * 1. Requests that were sent and answered within one window were charged within it, so their messages add up to at most
 *    the limit. Requests across an edge of the window are left out: an excess that hides in them is not found.
 * 2. A refusal needs a reason: everything that may have been charged in the window before it (answered since the window
 *    began, or in flight) and the request itself add up to more than the limit.
 * 3. A request that returns after its `Retry-After` is admitted, unless another request of the workspace may have been
 *    charged since the refusal.
 *
 * The limiter counts whole milliseconds of a clock that may be corrected: SLACK_MS keeps the rules on the safe side.
 * A batch above the limit is charged ahead. Rule 1 leaves it out, and rule 2 waits until its charges are over.
 */
import { WRITE_WINDOW_MS } from "../../src/core/limit/policy.ts";

const SLACK_MS = 20;

/** A request that the limiter was asked about. Times are `performance.now()`. */
export interface Sent {
  readonly cost: number;
  readonly sentAt: number;
}

interface Charged extends Sent {
  readonly answeredAt: number;
}

export class LimitCheck {
  readonly figures = {
    /** Windows that surely hold more than the limit. */
    overfull: 0,
    /** Refusals that rule 2 could check, and those without a reason. */
    refusals: 0,
    needless: 0,
    /** Requests that rule 3 could check, and those that were refused again. */
    returned: 0,
    refusedAgain: 0,
    /** Everything admitted, and the time that it took. */
    admitted: 0,
    largest: 0,
    firstSentAt: Infinity,
    lastAnsweredAt: -Infinity,
  };
  readonly #limit: number;
  readonly #inFlight = new Set<Sent>();
  /** In the order of their answers. */
  #charged: Charged[] = [];
  /** When all charges ahead have left the window. */
  #aheadUntil = -Infinity;
  #lastAnsweredAt = -Infinity;

  constructor(limit: number) {
    this.#limit = limit;
  }

  /**
   * Returns the most that a run of this length can admit: the limit for each window that it touches. A batch above the
   * limit is admitted when one place is free, so it can add itself and a window.
   */
  get mostAdmitted(): number {
    const { firstSentAt, lastAnsweredAt, largest } = this.figures;
    const windows = Math.ceil((Math.max(0, lastAnsweredAt - firstSentAt) + 1) / WRITE_WINDOW_MS);
    return this.#limit * windows + (largest > this.#limit ? this.#limit + largest : 0);
  }

  send(cost: number): Sent {
    const sent = { cost, sentAt: performance.now() };
    this.#inFlight.add(sent);
    return sent;
  }

  /** Notes a request whose answer does not tell whether it was charged. */
  lose(sent: Sent): void {
    this.#inFlight.delete(sent);
    this.#keep({ ...sent, answeredAt: performance.now() });
  }

  /** @param refused the request's refusal, if it waited for its `Retry-After` since */
  admit(sent: Sent, refused: Sent | null): void {
    const { figures } = this;
    const answeredAt = performance.now();
    this.#inFlight.delete(sent);
    if (refused !== null && !this.#mayBeChargedSince(refused)) figures.returned += 1;
    this.#keep({ ...sent, answeredAt });
    figures.admitted += sent.cost;
    figures.largest = Math.max(figures.largest, sent.cost);
    figures.firstSentAt = Math.min(figures.firstSentAt, sent.sentAt);
    figures.lastAnsweredAt = answeredAt;
    if (sent.cost > this.#limit) {
      // Its last charge comes after all charges before it and its own, at one limit per window.
      const windows = Math.ceil(sent.cost / this.#limit) + 1;
      this.#aheadUntil = Math.max(this.#aheadUntil, answeredAt) + windows * WRITE_WINDOW_MS;
      return;
    }
    const begin = answeredAt - WRITE_WINDOW_MS + SLACK_MS;
    const certain = this.#charged.filter(({ sentAt, cost }) => sentAt >= begin && cost <= this.#limit);
    if (sumOfCosts(certain) > this.#limit) figures.overfull += 1;
  }

  /** @param refusedBefore the request's earlier refusal, if it waited for its `Retry-After` since */
  refuse(sent: Sent, refusedBefore: Sent | null): void {
    const { figures } = this;
    this.#inFlight.delete(sent);
    if (refusedBefore !== null && !this.#mayBeChargedSince(refusedBefore)) {
      figures.returned += 1;
      figures.refusedAgain += 1;
    }
    const begin = sent.sentAt - WRITE_WINDOW_MS - SLACK_MS;
    if (begin < this.#aheadUntil) return;
    figures.refusals += 1;
    const possible = [...this.#charged.filter(({ answeredAt }) => answeredAt > begin), ...this.#inFlight];
    if (sumOfCosts(possible) + Math.min(sent.cost, this.#limit) <= this.#limit) figures.needless += 1;
  }

  #mayBeChargedSince({ sentAt }: Sent): boolean {
    return this.#inFlight.size > 0 || this.#lastAnsweredAt >= sentAt;
  }

  #keep(charged: Charged): void {
    this.#charged.push(charged);
    this.#lastAnsweredAt = charged.answeredAt;
    const oldest = Math.min(charged.answeredAt, ...[...this.#inFlight].map(({ sentAt }) => sentAt));
    const from = oldest - WRITE_WINDOW_MS - 2 * SLACK_MS;
    this.#charged = this.#charged.filter(({ answeredAt }) => answeredAt >= from);
  }
}

const sumOfCosts = (requests: readonly Sent[]): number => requests.reduce((sum, { cost }) => sum + cost, 0);

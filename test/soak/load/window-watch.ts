/**
 * What a sender can prove of the write limit by its own clock.
 *
 * The limiter charges a request at a moment that the sender does not see; it only knows that it lies between sending
 * the request and the end of its answer. So nothing here is estimated, and three things follow for certain:
 *
 * 1. Requests that were sent and answered within one window were charged within it. Their messages add up to at most
 *    the limit. Requests that lie across an edge of the window are left out: an excess that hides in those is not seen.
 * 2. A refusal needs a reason: all that may have been charged in the window before it (what was answered since it
 *    began, and what was under way) and the request itself add up to more than the limit.
 * 3. A request that comes back after its `Retry-After` is admitted, unless another one of the workspace may have been
 *    charged since it was refused.
 *
 * The limiter counts whole milliseconds of a clock that may be corrected: SLACK_MS keeps all three on the safe side.
 * A batch above the limit is charged ahead, so 1 leaves it out, and 2 judges nothing until its charges are over.
 */
import { WRITE_WINDOW_MS } from "../../../src/core/limit/policy.ts";

const SLACK_MS = 20;

/** A request that asked the limiter. Times are `performance.now()`. */
export interface Asked {
  readonly cost: number;
  readonly sentAt: number;
}

interface Admitted extends Asked {
  readonly answeredAt: number;
}

export interface WindowFigures {
  /** The most messages that were charged in a window for certain, and how often that was more than the limit. */
  most: number;
  tooMany: number;
  /** Refusals that could be judged, and those without a reason. */
  refusals: number;
  needless: number;
  /** Requests that came back in time with nothing between, and those of them that were refused once more. */
  returned: number;
  refusedAgain: number;
  /** All admitted messages, the largest request of them, and the time from the first one's sending to the last answer. */
  admitted: number;
  largest: number;
  firstSentAt: number;
  lastAnsweredAt: number;
}

export class WindowWatch {
  readonly #limit: number;
  readonly #underWay = new Set<Asked>();
  /** In the order of their answers. */
  #admitted: Admitted[] = [];
  /** When all charges ahead have left the window, at the latest. */
  #aheadUntil = -Infinity;
  #lastAnsweredAt = -Infinity;
  readonly figures: WindowFigures = {
    most: 0,
    tooMany: 0,
    refusals: 0,
    needless: 0,
    returned: 0,
    refusedAgain: 0,
    admitted: 0,
    largest: 0,
    firstSentAt: Infinity,
    lastAnsweredAt: -Infinity,
  };

  constructor(limit: number) {
    this.#limit = limit;
  }

  send(cost: number): Asked {
    const asked = { cost, sentAt: performance.now() };
    this.#underWay.add(asked);
    return asked;
  }

  /** It was not answered, or not so that it tells whether it was charged: it may have been. */
  lost(asked: Asked): void {
    this.#underWay.delete(asked);
    this.#keep({ ...asked, answeredAt: performance.now() });
  }

  admitted(asked: Asked, since: Asked | null): void {
    const answeredAt = performance.now();
    const { figures } = this;
    this.#underWay.delete(asked);
    if (since !== null && !this.#mayBeChargedSince(since)) figures.returned += 1;
    this.#keep({ ...asked, answeredAt });
    figures.admitted += asked.cost;
    figures.largest = Math.max(figures.largest, asked.cost);
    figures.firstSentAt = Math.min(figures.firstSentAt, asked.sentAt);
    figures.lastAnsweredAt = answeredAt;
    if (asked.cost > this.#limit) {
      // Its last charge is made once all that stood before and its own others were, a limit's worth per window.
      const windows = Math.ceil(asked.cost / this.#limit) + 1;
      this.#aheadUntil = Math.max(this.#aheadUntil, answeredAt) + windows * WRITE_WINDOW_MS;
      return;
    }
    const begin = answeredAt - WRITE_WINDOW_MS + SLACK_MS;
    const certain = this.#admitted.reduce(
      (sum, { sentAt, cost }) => (sentAt >= begin && cost <= this.#limit ? sum + cost : sum),
      0,
    );
    figures.most = Math.max(figures.most, certain);
    if (certain > this.#limit) figures.tooMany += 1;
  }

  /** @param since the same request when it was refused before, if it waited for its `Retry-After` since */
  refused(asked: Asked, since: Asked | null): void {
    const { figures } = this;
    this.#underWay.delete(asked);
    if (since !== null && !this.#mayBeChargedSince(since)) {
      figures.returned += 1;
      figures.refusedAgain += 1;
    }
    const begin = asked.sentAt - WRITE_WINDOW_MS - SLACK_MS;
    if (begin < this.#aheadUntil) return;
    figures.refusals += 1;
    const answered = this.#admitted.reduce((sum, one) => (one.answeredAt > begin ? sum + one.cost : sum), 0);
    const underWay = [...this.#underWay].reduce((sum, { cost }) => sum + cost, 0);
    if (answered + underWay + Math.min(asked.cost, this.#limit) <= this.#limit) figures.needless += 1;
  }

  #mayBeChargedSince({ sentAt }: Asked): boolean {
    return this.#underWay.size > 0 || this.#lastAnsweredAt >= sentAt;
  }

  #keep(one: Admitted): void {
    this.#admitted.push(one);
    this.#lastAnsweredAt = one.answeredAt;
    // What was answered before any window that a request under way may still be judged by.
    const oldest = [...this.#underWay].reduce((least, { sentAt }) => Math.min(least, sentAt), one.answeredAt);
    const from = oldest - WRITE_WINDOW_MS - 2 * SLACK_MS;
    if ((this.#admitted[0]?.answeredAt ?? Infinity) < from) {
      this.#admitted = this.#admitted.filter(({ answeredAt }) => answeredAt >= from);
    }
  }
}

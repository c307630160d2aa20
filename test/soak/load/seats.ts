/**
 * Bounds the load: who sends takes a seat, as large as the rate of its messages, and waits while the seats that are
 * taken add up to what the service may get. First come, first served.
 */
import { pause } from "./pause.ts";

/** Who waits longer leaves its seat. */
const LONG_MS = 5_000;

export class Seats {
  readonly #capacity: number;
  readonly #waiting: { rate: number; seated: () => void }[] = [];
  #taken = 0;

  /** @param capacity messages a second */
  constructor(capacity: number) {
    this.#capacity = capacity;
  }

  take(rate: number): Promise<void> {
    return new Promise((seated) => {
      this.#waiting.push({ rate, seated });
      this.#fill();
    });
  }

  giveBack(rate: number): void {
    this.#taken -= rate;
    this.#fill();
  }

  #fill(): void {
    for (let next = this.#waiting[0]; next !== undefined; next = this.#waiting[0]) {
      // One that is larger than all of it comes alone.
      if (this.#taken > 0 && this.#taken + next.rate > this.#capacity) return;
      this.#waiting.shift();
      this.#taken += next.rate;
      next.seated();
    }
  }
}

/** A sender's own seat: it may be left during a long wait, and taken again. */
export class Seat {
  readonly #seats: Seats;
  readonly #rate: number;
  #entering: Promise<void> | null = null;

  constructor(seats: Seats, rate: number) {
    this.#seats = seats;
    this.#rate = rate;
  }

  /** Several may ask for it. */
  enter(): Promise<void> {
    return (this.#entering ??= this.#seats.take(this.#rate));
  }

  /** Waits, or until the signal comes; who waits long gives its seat to another sender meanwhile. */
  async rest(ms: number, stop: AbortSignal): Promise<void> {
    if (ms > LONG_MS) this.leave();
    await pause(ms, stop);
    if (!stop.aborted) await this.enter();
  }

  leave(): void {
    if (this.#entering === null) return;
    this.#entering = null;
    this.#seats.giveBack(this.#rate);
  }
}

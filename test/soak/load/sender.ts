/** A workspace that sends, unsteadily and in the long run a little below or above its limit. */
import { WRITE_WINDOW_MS } from "../../../src/core/limit/policy.ts";
import { between, chance, type Random, randomOf, wholeBetween } from "../../../evals/simulator/random.ts";
import type { Client } from "./client.ts";
import { deliver } from "./delivery.ts";
import { Ledger } from "./ledger.ts";
import { nextWrites } from "./mix.ts";
import type { SenderSetup, WorkspaceLedger } from "./protocol.ts";
import { ask, read } from "./reads.ts";
import { Seat, Seats } from "./seats.ts";
import { WindowWatch } from "./window-watch.ts";

/** So long it sends before another workspace gets its seat. */
const STINT_MS = 30_000;
/** The most it has under way at once. */
const LANES = 3;
/** Reads and questions, by writes. */
const READS = 0.08;
const ASKS = 0.03;

export class Sender {
  readonly #setup: SenderSetup;
  readonly #client: Client;
  readonly #stop: AbortSignal;
  readonly #surprise: (what: string) => void;
  readonly #random: Random;
  readonly #watch: WindowWatch;
  readonly #ledger = new Ledger();

  constructor(setup: SenderSetup, client: Client, stop: AbortSignal, surprise: (what: string) => void) {
    this.#setup = setup;
    this.#client = client;
    this.#stop = stop;
    this.#surprise = (what) => surprise(`${setup.world.workspace}: ${what}`);
    this.#random = randomOf(`${setup.world.workspace}/sends`);
    this.#watch = new WindowWatch(setup.limit);
  }

  /** Sends near its limit until it is stopped, as long as it has a seat. */
  async run(seats: Seats): Promise<void> {
    const random = this.#random;
    const rate = (between(random, 0.95, 1.1) * this.#setup.limit * 1_000) / WRITE_WINDOW_MS;
    const seat = new Seat(seats, rate);
    while (!this.#stop.aborted) {
      await seat.enter();
      for (const until = performance.now() + STINT_MS; performance.now() < until && !this.#stop.aborted;) {
        const startedAt = performance.now();
        const sent = await this.#burst(
          seat,
          between(random, 0.1, 1) * this.#setup.limit,
          wholeBetween(random, 1, LANES),
        );
        await seat.rest(startedAt + (sent / rate) * 1_000 - performance.now(), this.#stop);
      }
      seat.leave();
    }
  }

  /** Sends as fast as it is answered, until the time is over. @returns messages sent */
  async rush(forMs: number, lanes: number): Promise<number> {
    const until = performance.now() + forMs;
    let sent = 0;
    while (performance.now() < until) {
      sent += await this.#burst(new Seat(new Seats(Infinity), 0), this.#setup.limit / 100, lanes, until);
    }
    return sent;
  }

  /** @returns messages sent */
  async #burst(seat: Seat, messages: number, lanes: number, until = Infinity): Promise<number> {
    let sent = 0;
    const desk = {
      client: this.#client,
      ledger: this.#ledger,
      watch: this.#watch,
      seat,
      stop: this.#stop,
      surprise: this.#surprise,
    };
    const { world, key, agreed } = this.#setup;
    const random = this.#random;
    const lane = async () => {
      while (sent < messages && !this.#stop.aborted && performance.now() < until) {
        const writes = nextWrites({ world, key, agreed, ledger: this.#ledger, random });
        sent += writes.requests.reduce((sum, { cost }) => sum + cost, 0);
        await deliver(desk, writes);
        if (chance(random, READS)) await read({ ...desk, key, random });
        if (chance(random, ASKS)) await ask({ ...desk, key, random });
      }
    };
    await Promise.all(Array.from({ length: lanes }, lane));
    return sent;
  }

  ledger(): WorkspaceLedger {
    const { answered, expected, admitted, refused, unanswered } = this.#ledger;
    return {
      id: this.#setup.id,
      limit: this.#setup.limit,
      world: this.#setup.world,
      states: this.#ledger.states(),
      answered,
      expected,
      admitted,
      refused,
      unanswered,
      window: this.#watch.figures,
    };
  }
}

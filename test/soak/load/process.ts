/** The process that makes the load. */
import { Client } from "./client.ts";
import type { Command, LoadSetup, Surprises, Told } from "./protocol.ts";
import { Seats } from "./seats.ts";
import { Sender } from "./sender.ts";

const MOST_SURPRISES = 20;
const PROBE_LANES = 16;

class Load {
  readonly #client: Client;
  readonly #senders: Sender[];
  readonly #probe: Sender;
  readonly #stop = new AbortController();
  readonly #surprises: Surprises = { count: 0, first: [] };
  #running: Promise<void[]> = Promise.resolve([]);

  constructor({ url, senders, probe }: LoadSetup) {
    this.#client = new Client(url);
    const surprise = (what: string) => {
      this.#surprises.count += 1;
      if (this.#surprises.first.length < MOST_SURPRISES) this.#surprises.first.push(what);
    };
    this.#senders = senders.map((setup) => new Sender(setup, this.#client, this.#stop.signal, surprise));
    this.#probe = new Sender(probe, this.#client, this.#stop.signal, surprise);
  }

  async probe(forMs: number): Promise<Told> {
    const startedAt = performance.now();
    const messages = await this.#probe.rush(forMs, PROBE_LANES);
    return { told: "probed", messagesPerSecond: (messages * 1_000) / (performance.now() - startedAt) };
  }

  start(messagesPerSecond: number): void {
    const seats = new Seats(messagesPerSecond);
    this.#running = Promise.all(this.#senders.map((sender) => sender.run(seats)));
  }

  tally(): Told {
    return { told: "tally", tally: this.#client.takeTally() };
  }

  async stop(): Promise<Told> {
    this.#stop.abort();
    await this.#running;
    await this.#client.close();
    const ledgers = [...this.#senders, this.#probe].map((sender) => sender.ledger());
    return { told: "ledgers", ledgers, tally: this.#client.takeTally(), surprises: this.#surprises };
  }
}

let load: Load | undefined;

async function follow(command: Command): Promise<Told | null> {
  if (command.command === "set up") {
    load = new Load(command.setup);
    return { told: "set up" };
  }
  if (load === undefined) throw new Error("there is no load yet");
  switch (command.command) {
    case "probe":
      return load.probe(command.forMs);
    case "start":
      load.start(command.messagesPerSecond);
      return null;
    case "tally":
      return load.tally();
    case "stop":
      return load.stop();
  }
}

process.on("message", (command: Command) => {
  void follow(command).then((told) => told !== null && process.send?.(told));
});
// Without the one who asked for it, nobody needs it.
process.on("disconnect", () => process.exit());

/** The load, made by a process of its own: who takes samples must not share one with who sends. */
import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";

import type { Tally } from "../tally.ts";
import type { Command, LoadSetup, Told } from "./protocol.ts";

type Ledgers = Extract<Told, { told: "ledgers" }>;

export class Load implements Disposable {
  readonly #child: ChildProcess;

  private constructor(child: ChildProcess) {
    this.#child = child;
  }

  static async start(setup: LoadSetup): Promise<Load> {
    const load = new Load(fork(new URL("process.ts", import.meta.url), { serialization: "advanced" }));
    await load.#ask({ command: "set up", setup }, "set up");
    return load;
  }

  get pid(): number {
    return this.#child.pid ?? 0;
  }

  /** @returns messages a second that the service takes when it gets as many as it can */
  async probe(forMs: number): Promise<number> {
    return (await this.#ask({ command: "probe", forMs }, "probed")).messagesPerSecond;
  }

  /** @param messagesPerSecond that all senders together send at the most */
  begin(messagesPerSecond: number): void {
    this.#child.send({ command: "start", messagesPerSecond });
  }

  async tally(): Promise<Tally> {
    return (await this.#ask({ command: "tally" }, "tally")).tally;
  }

  /** Waits for the answers of what is under way. */
  stop(): Promise<Ledgers> {
    return this.#ask({ command: "stop" }, "ledgers");
  }

  [Symbol.dispose](): void {
    this.#child.kill("SIGKILL");
  }

  /** @throws Error when the process ends instead */
  async #ask<Name extends Told["told"]>(command: Command, name: Name): Promise<Extract<Told, { told: Name }>> {
    const ended = new AbortController();
    const end = once(this.#child, "exit", { signal: ended.signal }).then(([code, signal]) => {
      throw new Error(`the load ended with ${code ?? signal}`);
    });
    const answer = new Promise<Extract<Told, { told: Name }>>((settle) => {
      const listen = (told: Told) => {
        if (!isNamed(told, name)) return;
        this.#child.off("message", listen);
        settle(told);
      };
      this.#child.on("message", listen);
    });
    this.#child.send(command);
    try {
      return await Promise.race([answer, end]);
    } finally {
      ended.abort();
      end.catch(() => undefined);
    }
  }
}

const isNamed = <Name extends Told["told"]>(told: Told, name: Name): told is Extract<Told, { told: Name }> =>
  told.told === name;

/** Sends to one workspace as fast as its write limit lets it. */
import { chance, randomOf } from "../../evals/simulator/random.ts";
import type { Client } from "./client.ts";
import type { World } from "./content.ts";
import { deliver } from "./delivery.ts";
import { Ledger } from "./ledger.ts";
import { read } from "./reads.ts";
import { nextWrites } from "./writes.ts";

export interface Workspace {
  id: string;
  key: string;
  /** Messages per window. */
  limit: number;
  world: World;
  /** Requests in flight at a time. */
  lanes: number;
}

/** Share of writes that are followed by a read. */
const READ_SHARE = 0.1;

export class Sender {
  readonly workspace: Workspace;
  readonly ledger = new Ledger();

  constructor(workspace: Workspace) {
    this.workspace = workspace;
  }

  /** Sends until it is stopped, and waits for the answers. */
  async run(client: Client, stop: AbortSignal, report: (problem: string) => void): Promise<void> {
    const { ledger } = this;
    const { id, key, world, lanes } = this.workspace;
    const random = randomOf(`${world.workspace}/sends`);
    const own = (problem: string) => report(`${id}: ${problem}`);
    const lane = async () => {
      while (!stop.aborted) {
        await deliver({ client, ledger, stop, report: own }, nextWrites({ world, key, ledger, random }));
        if (chance(random, READ_SHARE)) await read({ client, key, ledger, random, report: own });
      }
    };
    await Promise.all(Array.from({ length: lanes }, lane));
  }
}

import { describeFault } from "../../core/describe-fault.ts";
import type { WorkspaceRef } from "../../db/client/database.ts";
import { DatabaseUnavailable } from "../../db/client/faults.ts";

/** Collects the failures of single workspaces, so that the others still have their turn. */
export class Failures {
  readonly #faults: unknown[] = [];

  get none(): boolean {
    return this.#faults.length === 0;
  }

  get text(): string | null {
    return this.none ? null : this.#faults.map(describeFault).join("; ");
  }

  add(fault: unknown): void {
    this.#faults.push(fault);
  }

  /** @throws DatabaseUnavailable when the database is down, which affects every other workspace too */
  async collect(workspace: WorkspaceRef, work: () => Promise<void>): Promise<void> {
    try {
      await work();
    } catch (error) {
      if (error instanceof DatabaseUnavailable && !error.timedOut) throw error;
      console.error(JSON.stringify({ operation: "recompute", workspace: workspace.id, fault: describeFault(error) }));
      this.add(error);
    }
  }

  /** @throws the database's failure, or else the only failure, or else all of them in an AggregateError */
  throwAny(): void {
    const down = this.#faults.find((fault) => fault instanceof DatabaseUnavailable && !fault.timedOut);
    if (down !== undefined) throw down;
    if (this.#faults.length > 1)
      throw new AggregateError(this.#faults, `${this.#faults.length} workspaces failed to recompute`);
    if (this.#faults.length === 1) throw this.#faults[0];
  }
}

import { describeFault } from "../../core/describe-fault.ts";
import type { WorkspaceRef } from "../../db/client/database.ts";
import { DatabaseUnavailable } from "../../db/client/faults.ts";

/** What went wrong with single workspaces, which keeps no other from its turn. */
export class Failures {
  readonly #faults: unknown[] = [];

  get none(): boolean {
    return this.#faults.length === 0;
  }

  /** In our own words; `null` for none. */
  get text(): string | null {
    return this.none ? null : this.#faults.map(describeFault).join("; ");
  }

  add(fault: unknown): void {
    this.#faults.push(fault);
  }

  /** @throws DatabaseUnavailable where the database is away: then no other workspace would fare better */
  async collect(workspace: WorkspaceRef, work: () => Promise<void>): Promise<void> {
    try {
      await work();
    } catch (error) {
      if (error instanceof DatabaseUnavailable && !error.timedOut) throw error;
      console.error(JSON.stringify({ operation: "recompute", workspace: workspace.id, fault: describeFault(error) }));
      this.add(error);
    }
  }

  /** @throws what was collected: the fault itself where it is one alone, and that of the database where it is away */
  throwAny(): void {
    const away = this.#faults.find((fault) => fault instanceof DatabaseUnavailable && !fault.timedOut);
    if (away !== undefined) throw away;
    if (this.#faults.length > 1)
      throw new AggregateError(this.#faults, `${this.#faults.length} faults of the recompute`);
    if (this.#faults.length === 1) throw this.#faults[0];
  }
}

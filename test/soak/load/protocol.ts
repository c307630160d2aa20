/** What the process that makes the load is told, and what it tells. */
import type { Tally } from "../tally.ts";
import type { Source, World } from "./content.ts";
import type { Outcome } from "./ledger.ts";
import type { WindowFigures } from "./window-watch.ts";

export interface SenderSetup {
  id: string;
  key: string;
  /** Messages per window. */
  limit: number;
  /** Whether it has accepted the data processing agreement. */
  agreed: boolean;
  world: World;
}

export interface LoadSetup {
  url: string;
  senders: SenderSetup[];
  /** The workspace that finds out how much the service takes. */
  probe: SenderSetup;
}

export type Command =
  | { command: "set up"; setup: LoadSetup }
  /** Answered with `probed`. */
  | { command: "probe"; forMs: number }
  /** @param messagesPerSecond that all senders together send at the most */
  | { command: "start"; messagesPerSecond: number }
  /** Answered with `tally`, of what was counted since the last. */
  | { command: "tally" }
  /** Answered with `ledgers`, once all that is under way is answered. */
  | { command: "stop" };

export type Told =
  | { told: "set up" }
  | { told: "probed"; messagesPerSecond: number }
  | { told: "tally"; tally: Tally }
  | { told: "ledgers"; ledgers: WorkspaceLedger[]; tally: Tally; surprises: Surprises };

/** What a workspace's sender knows in the end. */
export interface WorkspaceLedger {
  id: string;
  limit: number;
  world: World;
  /** A `STATE` for each message, by its number. */
  states: Record<Source, Uint8Array>;
  answered: Outcome;
  expected: Outcome;
  /** Messages, over all requests. */
  admitted: number;
  refused: number;
  /** Requests that were never answered, or with 500 or 503. */
  unanswered: number;
  window: WindowFigures;
}

/** Answers that were not as they should be: how many, and the first of them. */
export interface Surprises {
  count: number;
  first: string[];
}

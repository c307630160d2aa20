import type { Copy } from "../../db/moves/copy.ts";
import type { Move } from "../../db/moves/moves.ts";

/** One part of a move, in an invocation of its own. */
export interface Part {
  env: Env;
  /** The directory's row; kept up to date. */
  move: Move;
  copy: Copy;
  now: number;
  expiresAt: number;
  /** Whether the budget is used up. Counts a statement. */
  isOver: () => boolean;
}

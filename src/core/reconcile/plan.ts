/**
 * Compares what four places know of a workspace after a restore of some of them. The journal and the limiter are never
 * restored, so they win. Nothing is erased while a move runs: what looks like a leftover may be the copy.
 */
import type { FindingKind } from "./findings.ts";

/** What the journal knows. */
export interface Claim {
  id: string;
  /** Whether it has begun to move at some time: then a database without it may have lost it. */
  hasMoved: boolean;
}

export interface MoveRow {
  from: string;
  to: string;
  state: "copying" | "final" | "erasing" | "cancelling" | "failed";
  /** When the part began that saved the cursor; `null` without a cursor. */
  copiedAt: number | null;
}

/** What the directory knows. */
export interface Entry {
  id: string;
  database: string;
  /** Whether it is being created or erased. */
  isMarked: boolean;
  move: MoveRow | null;
  writeLimit: number;
  hasStorageLimit: boolean;
  /** Keys that are not revoked. */
  keyIds: readonly string[];
  /** The newest acceptance. */
  agreement: { id: number; acceptedAt: number; withdrawnAt: number | null } | null;
  /** Whether the database still has to follow a change of the agreement. */
  agreementChanged: boolean;
}

/** What a database knows. */
export interface Side {
  database: string;
  id: string;
  state: "live" | "moving" | "erased";
  agreement: number;
  /** When a part of a move last took the lease there; `null` if none holds it. */
  leasedAt: number | null;
}

export interface Limiter {
  limit: number;
  database: string;
  hasStorageLimit: boolean;
  revokedKeys: readonly string[];
}

/** What is known of one number. */
export interface Known {
  claim: Claim | null;
  /** In the journal. */
  isErased: boolean;
  withdrawnAt: number | null;
  entry: Entry | null;
  sides: readonly Side[];
  limiter: Limiter;
}

export interface Plan {
  findings: FindingKind[];
  /** The database that holds the workspace, or will; `null` if that is unknown, or someone else is at work. */
  home: string | null;
  /** Databases with a copy to erase. */
  copies: string[];
}

/** The number that `workspace_states.agreement` has for the newest acceptance. */
export const agreementNumber = (agreement: Entry["agreement"]): number =>
  agreement === null ? 0 : agreement.withdrawnAt === null ? agreement.id : -agreement.id;

const nothing = (...findings: FindingKind[]): Plan => ({ findings, home: null, copies: [] });

/** Decides what to repair, in the order of the repairs, and what people have to decide. */
export function plan(known: Known): Plan {
  const { claim, entry, sides, limiter, isErased } = known;
  if (entry?.isMarked === true) return nothing(); // the cron finishes it
  const ids = new Set([claim?.id, entry?.id, ...sides.map(({ id }) => id)].filter((id) => id !== undefined));
  if (ids.size > 1) return nothing("number_used_twice");
  if (isErased) return entry === null && sides.length === 0 ? nothing() : nothing("erased_again");
  if (claim === null && entry === null) return nothing("unknown_rows");

  const findings: FindingKind[] = claim === null ? ["claim_missing"] : [];
  const found = entry?.move == null ? findHome(known) : followMove(entry.move, known);
  findings.push(...found.findings);
  const { home } = found;
  if (entry === null) findings.push("entry_missing");
  if (home === null) return { findings, home, copies: [] };
  if ((entry?.database ?? home) !== home || limiter.database !== home) findings.push("database_wrong");
  const copies = sides.map(({ database }) => database).filter((database) => database !== home);
  if (copies.length > 0) findings.push("copy_left");
  const side = sides.find(({ database }) => database === home);
  if (entry !== null) findings.push(...compareSettings(entry, known, side));
  return { findings, home, copies };
}

type Found = Omit<Plan, "copies">;
const at = (home: string | null, ...findings: FindingKind[]): Found => ({ home, findings });

/** Finds the database of a workspace that doesn't move. */
function findHome({ claim, entry, sides, limiter }: Known): Found {
  const live = sides.filter(({ state }) => state === "live").map(({ database }) => database);
  if (live.length > 1) return live.includes(limiter.database) ? at(limiter.database) : at(null, "data_twice");
  if (live[0] !== undefined) return at(live[0]);
  const named = entry?.database ?? limiter.database;
  if (sides.some(({ database, state }) => database === named && state === "moving")) return at(named, "state_closed");
  const isNew = sides.length === 0 && claim?.hasMoved === false;
  return isNew ? at(named, "state_missing") : at(null, "data_lost");
}

/** Leaves a running move alone, unless a restore brought it back or took away what it has copied. */
function followMove(move: MoveRow, { sides, limiter }: Known): Found {
  const stateIn = (database: string) => sides.find((side) => side.database === database)?.state;
  const [from, to] = [stateIn(move.from), stateIn(move.to)];
  if (to === "live" && (from === undefined || limiter.database === move.to) && move.state !== "erasing")
    return at(move.to, "move_stale");
  if (to === "live" && from === "live") return at(null, move.state === "erasing" ? "busy" : "move_blocked");
  if (from === undefined && to !== "live") return at(null, "data_lost");
  const leasedAt = sides.find(({ database }) => database === move.to)?.leasedAt ?? -Infinity;
  const isLost = move.state === "copying" && move.copiedAt !== null && leasedAt < move.copiedAt;
  return at(null, isLost ? "move_restarted" : "busy");
}

function compareSettings(entry: Entry, { limiter, withdrawnAt }: Known, side: Side | undefined): FindingKind[] {
  const findings: FindingKind[] = [];
  if (entry.writeLimit !== limiter.limit) findings.push("limit_differs");
  if (entry.hasStorageLimit !== limiter.hasStorageLimit) findings.push("storage_limit");
  if (entry.keyIds.some((id) => limiter.revokedKeys.includes(id))) findings.push("keys_revoked");
  const { agreement, agreementChanged } = entry;
  const [recorded, inDatabase] = [agreementNumber(agreement), side?.agreement ?? 0];
  if (recorded > 0 && (inDatabase === -recorded || (withdrawnAt ?? -Infinity) >= (agreement?.acceptedAt ?? 0)))
    findings.push("agreement_withdrawn");
  else if (recorded <= 0 && inDatabase > -recorded) findings.push("agreement_lost");
  else if (inDatabase !== recorded && !agreementChanged) findings.push("agreement_follows");
  return findings;
}

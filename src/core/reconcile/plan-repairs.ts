/**
 * Compares what the journal, the directory, the databases and the limiter know of a workspace after a restore. The journal and
 * the limiter are never restored, so they win. While a move runs nothing is erased: what looks left behind may be the copy.
 */

/** Findings that are repaired: docs/restore.md explains each. */
const REPAIRS = [
  "claim_missing",
  "erased_again",
  "entry_missing",
  "database_wrong",
  "copy_left",
  "state_missing",
  "state_closed",
  "move_stale",
  "move_restarted",
  "limit_differs",
  "import_differs",
  "limits_unfinished",
  "keys_revoked",
  "agreement_withdrawn",
  "agreement_follows",
  "people_erased",
  "files_repaired",
] as const;
export type Repair = (typeof REPAIRS)[number];

export type Finding =
  | Repair
  /** People have to decide, or wait until nothing else works on the workspace (`busy`). */
  | "number_used_twice"
  | "unknown_rows"
  | "data_lost"
  | "data_twice"
  | "copy_kept"
  | "move_blocked"
  | "storage_limit"
  | "agreement_lost"
  | "file_missing"
  | "not_bound"
  | "busy";

export const isRepair = (finding: Finding): finding is Repair => REPAIRS.some((repair) => repair === finding);

/** A finding about a workspace. */
export interface WorkspaceFinding {
  /** The workspace's id. */
  workspace: string;
  finding: Finding;
  /** Ids, files or databases that the finding is about, for people; `null` without them. */
  detail: string | null;
}

/** A workspace in the directory. */
export interface DirectoryEntry {
  id: string;
  database: string;
  writeLimit: number;
  /** The write limit of a running import; `null` without one. */
  importLimit: number | null;
  storageLimitBytes: number | null;
  /** Whether it is being created or erased. */
  isMarked: boolean;
  /** Keys that are not revoked. */
  keyIds: readonly string[];
  /** The newest acceptance. */
  agreement: { id: number; acceptedAt: number; withdrawnAt: number | null } | null;
  /** Whether the database still has to follow a change of the agreement. */
  agreementChanged: boolean;
  move: {
    from: string;
    to: string;
    state: "copying" | "final" | "erasing" | "cancelling" | "failed";
    /** The backup that is restored; `null` for a move. */
    backup: string | null;
    /** When the part began that saved the cursor; `null` without a cursor. */
    copiedAt: number | null;
  } | null;
}

/** A workspace in one database. */
export interface Side {
  database: string;
  id: string;
  state: "live" | "arriving" | "moving" | "erased";
  agreement: number;
  /** When a part of a move last took the lease there; `null` if none holds it. */
  leasedAt: number | null;
}

/** Everything that is known of one number. */
export interface KnownWorkspace {
  /** From the journal. If the workspace has moved, a database without it may have lost it. */
  claim: { id: string; hasMoved: boolean } | null;
  isErased: boolean;
  withdrawnAt: number | null;
  entry: DirectoryEntry | null;
  /** Whether a restore can bring it back; false while a database has rows of it. */
  hasBackup: boolean;
  sides: readonly Side[];
  limiter: {
    limit: number;
    importLimit: number | null;
    database: string;
    /** How many bytes the workspace may still store; `null` without a storage limit. */
    room: number | null;
    isBehind: boolean;
    revokedKeys: readonly string[];
  };
}

export interface RepairPlan {
  /** In the order of the repairs. */
  findings: Finding[];
  /** The database that holds the workspace, or will; `null` if that is unknown, or someone else is at work. */
  home: string | null;
}

/** Returns the number that `workspace_states.agreement` has for the newest acceptance. */
export const agreementNumber = (agreement: DirectoryEntry["agreement"]): number =>
  agreement === null ? 0 : agreement.withdrawnAt === null ? agreement.id : -agreement.id;

const planFor = (home: string | null, ...findings: Finding[]): RepairPlan => ({ home, findings });

/** Decides what to repair, and what people have to decide. */
export function planRepairs(known: KnownWorkspace): RepairPlan {
  const { claim, entry, sides, limiter, isErased } = known;
  // The cron finishes it. It may have taken the number of a workspace that the directory then lacks.
  if (entry?.isMarked === true)
    return planFor(null, ...(claim === null || claim.id === entry.id ? [] : ["busy" as const]));
  const ids = new Set([claim, entry, ...sides].flatMap((each) => each?.id ?? []));
  if (ids.size > 1) return planFor(null, "number_used_twice");
  if (isErased) return entry === null && sides.length === 0 ? planFor(null) : planFor(null, "erased_again");
  if (claim === null && entry === null) return planFor(null, "unknown_rows");

  const { home, findings } = entry?.move == null ? findHome(known) : followMove(entry.move, known);
  if (claim === null) findings.unshift("claim_missing");
  if (entry === null) findings.push("entry_missing");
  if (home === null) return { home, findings };
  if ((entry?.database ?? home) !== home || limiter.database !== home) findings.push("database_wrong");
  if (sides.some(({ database }) => database !== home)) findings.push("copy_left");
  if (entry !== null) findings.push(...compareSettings(entry, known, home));
  return { home, findings };
}

const liveIn = ({ sides }: KnownWorkspace): string[] =>
  sides.flatMap(({ state, database }) => (state === "live" ? database : []));

/** Finds the database of a workspace that doesn't move. */
function findHome(known: KnownWorkspace): RepairPlan {
  const { claim, entry, sides, limiter } = known;
  const live = liveIn(known);
  if (live.length > 1) return live.includes(limiter.database) ? planFor(limiter.database) : planFor(null, "data_twice");
  if (live[0] !== undefined) return planFor(live[0]);
  const named = entry?.database ?? limiter.database;
  const closed = sides.filter(({ state }) => state === "moving");
  const whole = closed.length === 1 ? closed[0] : closed.find(({ database }) => database === named);
  if (whole !== undefined) return planFor(whole.database, "state_closed");
  const isNew = sides.length === 0 && claim?.hasMoved === false && !known.hasBackup;
  return isNew ? planFor(named, "state_missing") : planFor(null, "data_lost");
}

/** Leaves a running move alone, unless a restore brought it back or took away what it has copied. */
function followMove(move: NonNullable<DirectoryEntry["move"]>, known: KnownWorkspace): RepairPlan {
  const { sides, limiter } = known;
  // The rows of a restore are in the bucket.
  if (move.backup !== null) return planFor(null, "busy");
  const live = liveIn(known);
  const home = live.length > 1 ? limiter.database : live[0];
  const isClosedIn = (name: string) => sides.some(({ database, state }) => database === name && state === "moving");
  // After the switch, the target was restored to a time before its copy was complete.
  if (home === undefined && move.state === "erasing" && isClosedIn(move.from) && !isClosedIn(move.to))
    return planFor(move.from, "move_stale", "state_closed");
  if (home === undefined)
    return planFor(null, sides.some(({ database }) => database === move.from) ? "busy" : "data_lost");
  if (move.state === "erasing") return planFor(null, "busy");
  if (home !== move.from) return live.includes(home) ? planFor(home, "move_stale") : planFor(null, "data_twice");
  if (live.length > 1) return planFor(null, "move_blocked");
  const leasedAt = sides.find(({ database }) => database === move.to)?.leasedAt ?? -Infinity;
  const isLost = move.state === "copying" && move.copiedAt !== null && leasedAt < move.copiedAt;
  return planFor(null, isLost ? "move_restarted" : "busy");
}

function compareSettings(
  entry: DirectoryEntry,
  { limiter, withdrawnAt, sides }: KnownWorkspace,
  home: string,
): Finding[] {
  const findings: Finding[] = [];
  const differing: Finding[] = entry.writeLimit === limiter.limit ? [] : ["limit_differs"];
  if (entry.importLimit !== limiter.importLimit) differing.push("import_differs");
  if ((entry.storageLimitBytes === null) !== (limiter.room === null)) differing.push("storage_limit");
  findings.push(...(limiter.isBehind && differing.length > 0 ? (["limits_unfinished"] as const) : differing));
  if (entry.keyIds.some((id) => limiter.revokedKeys.includes(id))) findings.push("keys_revoked");
  const { agreement, agreementChanged } = entry;
  const recorded = agreementNumber(agreement);
  const inDatabase = sides.find(({ database }) => database === home)?.agreement ?? 0;
  if (recorded > 0 && (inDatabase === -recorded || (withdrawnAt ?? -Infinity) >= (agreement?.acceptedAt ?? 0)))
    findings.push("agreement_withdrawn");
  else if (recorded <= 0 && inDatabase > -recorded) findings.push("agreement_lost");
  else if (inDatabase !== recorded && !agreementChanged) findings.push("agreement_follows");
  return findings;
}

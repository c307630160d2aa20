/** Whether the evidence is true: recounted from what happened, and reckoned from its own figures. */
import type { Span } from "../calendar.ts";
import { dayOf } from "../calendar.ts";
import type { Selection } from "../oracle/counts.ts";
import { isAttributeOfAny, isSoOfAny } from "../oracle/recount.ts";
import type { Evidence, Response200 } from "../service/ask.ts";
import type { World } from "../world/model.ts";
import { isNear, rowsOf } from "./reading.ts";

/** Measures that tell how many there are of what the value lists, or is. */
const LENGTHS = new Set([
  "at_risk",
  "features_not_used",
  "new_accounts",
  "open_items",
  "silent_accounts",
  "stopped",
  "trials",
]);
/** Those that may be that, and may be counted besides. */
const LENGTHS_OR_COUNTS = new Set(["accounts", "features", "users"]);
const DIFFERENCES = new Set(["difference", "increase", "decrease"]);
const SHARES = new Set(["increase_percent", "decrease_percent", "adoption_percent", "seat_use_percent"]);

const MAX_ROWS = 100;

/** @returns what is wrong with it; `null` for nothing */
export function faultOfEvidence(world: World, response: Response200): string | null {
  const { evidence } = response;
  const about = aboutOf(response);
  const rows = rowsOf(response.value);
  /** A list is cut there. */
  const isLength = (value: number): boolean =>
    rows === null ? value === response.value : value === rows.length || (rows.length === MAX_ROWS && value > MAX_ROWS);
  const others = (one: Evidence) =>
    evidence.flatMap((other) => (other !== one && typeof other.value === "number" ? [other.value] : []));
  const untrue = evidence.find((one) => {
    const { kind, measure } = one;
    const value = figureOf(one);
    if (value === null) return false;
    if (LENGTHS.has(measure)) return !isLength(value);
    if (LENGTHS_OR_COUNTS.has(measure) && isLength(value)) return false;
    // Those of health are for its own evaluation.
    if (DIFFERENCES.has(measure))
      return kind !== "health" && !pairsOf(others(one)).some(([a, b]) => isNear(a - b, value));
    if (SHARES.has(measure)) return !pairsOf(others(one)).some((pair) => isShare(pair, value));
    const span = spanOf(one);
    if (measure === "window_days" && span !== null) return value !== span.to - span.from + 1;
    if (measure === "seats" || (measure === "mrr" && about.accounts.length > 0))
      return !isAttributeOfAny(world, measure, value, about.accounts);
    return isSoOfAny(world, { measure, value, span }, about.selections) === false;
  });
  return untrue === undefined ? null : `the evidence is not so: ${untrue.measure} ${untrue.value}`;
}

/** A time counts by its day. */
function figureOf({ measure, value }: Evidence): number | null {
  if (measure === "last_seen" && typeof value === "string") return dayOf(Date.parse(value));
  return typeof value === "number" ? value : null;
}

/** What it is about alone, and together with each of the things that it lists. */
function aboutOf({ evidence, interpretation }: Response200): {
  selections: readonly Selection[];
  accounts: readonly string[];
} {
  const subject = interpretation?.subject ?? null;
  const own = selectionOf(subject?.type ?? "", subject?.externalId ?? "");
  const listed = evidence.flatMap(({ measure, value }) =>
    typeof value === "string" ? [selectionOf(measure, value)] : [],
  );
  const selections = [own, {}, ...listed.flatMap((one) => [one, { ...own, ...one }])];
  return { selections, accounts: selections.flatMap(({ account }) => account ?? []) };
}

function selectionOf(type: string, id: string): Selection {
  if (type === "account") return { account: id };
  if (type === "user") return { user: id };
  return type === "feature" ? { event: id } : {};
}

const spanOf = ({ window }: Evidence): Span | null =>
  window === undefined ? null : { from: dayOf(Date.parse(window.from)), to: dayOf(Date.parse(window.to)) };

const pairsOf = (values: readonly number[]): [number, number][] =>
  values.flatMap((a) => values.map((b): [number, number] => [a, b]));

/** One as a share of the other, or by how much of it they differ, in percent. */
const isShare = ([a, b]: readonly [number, number], percent: number): boolean =>
  b !== 0 && (isNear((100 * a) / b, percent) || isNear((100 * Math.abs(a - b)) / b, percent));

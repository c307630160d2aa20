/** Completes a query: removes redundant parts, and rejects combinations that can't be answered. */
import { isWindowed } from "../query/canonical.ts";
import { checkQuery } from "../query/check.ts";
import type { Filter, Query } from "../query/model.ts";
import { DEFAULT_WINDOW, daysOf, isoDate } from "../query/windows.ts";
import { BEFORE_WINDOW } from "./conditions.ts";
import { isOfOne, isPeriod } from "./find.ts";
import type { Draft } from "./fragments.ts";
import type { FrameContext } from "./frame.ts";

const WINDOWED =
  /^(?:active|events|active_users|active_days|active_accounts|features_used|seat_use|adoption|score|mrr|arr|seats)$/;

const isOfHistory = ({ dimension, asOf }: Filter): boolean =>
  /^(?:stage|plan|health)$/.test(dimension) && asOf === undefined;

/** Removes redundant parts, and rejects combinations that can't be answered. */
export function finished(draft: Draft, { dimensions, today }: FrameContext): Query | null {
  const since = daysOf(draft.window ?? DEFAULT_WINDOW, today).from;
  const dated = (filter: Filter): Filter =>
    filter.asOf === BEFORE_WINDOW ? { ...filter, asOf: isoDate(since - 1) } : filter;
  draft.where = draft.where.map(dated);
  if (draft.of !== undefined) draft.of = draft.of.map(dated);
  const { find, show, where, order, measure, per } = draft;
  const isChange = where.some(({ became, changed }) => (became ?? changed) !== undefined);
  if (find === undefined || show === undefined || order?.by === "") return null;
  // One account can't be ranked: "Lumen's lowest score" would be another question.
  if (order !== undefined && draft.compare === undefined && per === undefined && isOfOne(draft)) return null;
  if (order !== undefined && order.by === measure && order.direction === "down") delete draft.order;
  const isLimited = draft.limit !== undefined;
  if (isLimited && show !== "list" && per === undefined) return null;
  // "The top 3 accounts in each region" would be a limit of each group.
  if (isLimited && per !== undefined && !isPeriod(per) && find !== "events") return null;
  if (show === "count" && isOfOne(draft)) return null;
  // Health has reasons. Why an account churned isn't known.
  if (show === "why" && isChange) return null;
  if (show === "share" && where.length === 0) return null;
  // An account's last event isn't its last export.
  const isOfEvent = (find === "accounts" || find === "users") && where.some(({ dimension }) => dimension === "event");
  const names = [measure ?? "", ...where.map(({ dimension }) => dimension)];
  if (isOfEvent && names.some((name) => name.endsWith("_seen"))) return null;
  if (draft.compare !== undefined && isChange) return null;
  const isTimed =
    find === "events" ||
    (measure !== undefined && WINDOWED.test(measure)) ||
    draft.compare !== undefined ||
    show === "summary" ||
    where.some(isWindowed);
  const churned = where.findIndex(({ dimension, is }) => dimension === "stage" && is === "churned");
  // "At risk today" is at risk now.
  if (draft.window !== undefined && "this" in draft.window && draft.window.this === "day" && !isTimed)
    delete draft.window;
  if (draft.window !== undefined && !isTimed) {
    // "At risk on 1 October": as of that day.
    const { window } = draft;
    if ("from" in window && window.from === window.to && where.some(isOfHistory)) {
      draft.where = where.map((filter) => (isOfHistory(filter) ? { ...filter, asOf: window.from } : filter));
      delete draft.window;
      return finished(draft, { dimensions, today });
    }
    // "Who churned in October": it happened then.
    if (churned < 0) return null;
    where[churned] = { dimension: "stage", became: "churned" };
  }
  // "How healthy is Acme": one value.
  const isOneValue =
    show === "list" && (measure ?? "") !== "" && isOfOne(draft) && draft.with === undefined && order === undefined;
  const query = { ...draft, find, show: isOneValue && per === undefined ? "value" : show, where } satisfies Query;
  return checkQuery(query, dimensions).length === 0 ? query : null;
}

/** Assigns the times of a question to dates, to conditions, or to the query. */
import { isWindowed } from "../../query/canonical.ts";
import { isAccountDimension, SEEN } from "../../query/dimensions.ts";
import type { Filter, WindowName } from "../../query/model.ts";
import { dayOf, windowDays, isoDate } from "../../query/windows.ts";
import type { Draft, PieceOf, Piece } from "../fragments/fragments.ts";
import type { Pieces } from "../fragments/pieces.ts";
import { EVENT_MEASURES, isA, isEvent, isTrial } from "../fragments/pieces.ts";
import { type DateRange, unitOfSpan } from "../times/calendar.ts";
import { type DraftContext, dimensionType } from "./context.ts";

/** "Silent in October and came back": active after that time, or in a time of its own. */
export function takeReturns(pieces: Pieces, { today }: DraftContext): void {
  const back = pieces.first("returned");
  const silent = pieces.all("filter", "active").find(({ filter }) => filter.is === false);
  const windows = pieces.all("window");
  const then = silent && pieces.after(silent);
  if (back === undefined || silent === undefined || !isA(then, "window") || windows.length > 2) return;
  const now = windows.find((each) => each !== then);
  const end = windowDays(then.window, today).to;
  if (end >= today || (now !== undefined && pieces.after(back) !== now)) return;
  const window = now?.window ?? { from: isoDate(end + 1), to: isoDate(today) };
  pieces.replace(silent, { type: "filter", filter: { ...silent.filter, window: then.window } });
  pieces.replace(back, { type: "filter", filter: { dimension: "active", is: true, window } });
  pieces.take(then, now);
}

const isPastDate = (name: string): boolean => SEEN.has(name) || name === "opened";

/** Tests whether a date may be ahead. */
const isAhead = (name: string): boolean => isAccountDimension(name) || name === "snoozed_until";

/** Assigns the windows of a question to dates, to conditions, or to the query. */
export function takeWindows(pieces: Pieces, draft: Draft, context: DraftContext): void {
  const dates = () => pieces.all("dimension").filter(({ dimension }) => dimensionType(dimension, context) === "date");
  // "Renewing customers with no exports last month": the time of the exports.
  if (pieces.has("over") || dates().some(({ dimension }) => isAhead(dimension)))
    for (const window of pieces.all("window"))
      if (belongsToCondition(window, pieces)) giveTo(pieces.before(window), window, pieces);
  // "Not a customer yet" is so now.
  const isOfNow =
    pieces.remaining.some((piece) => (conditionOf(piece)?.isNot ?? conditionOf(piece)?.isUnknown) !== undefined) &&
    !pieces.remaining.some(isTimed);
  const isOfMeasure = (window: Piece): boolean => isA(pieces.before(window), "measure", ...EVENT_MEASURES);
  const isTold = pieces.all("window").some((each) => each.isVague === undefined && !isOfMeasure(each));
  const isSaid = ({ window }: PieceOf<"window">): boolean =>
    isTold || pieces.asks("when") || (pieces.asks("why") && "last" in window) || (isOfNow && "all" in window);
  pieces.take(...pieces.all("window").filter((each) => each.isVague && isSaid(each)));
  // "Open for more than 30 days".
  const long = pieces.all("window").find(({ isBound, window }) => isBound === "before" && "last" in window);
  if (long !== undefined) {
    draft.where.push({ dimension: "opened", to: isoDate(windowDays(long.window, context.today).from - 1) });
    pieces.take(long);
  }
  const [over] = pieces.all("over");
  const ended = dates().find(({ dimension }) => isAhead(dimension));
  if (over !== undefined && (ended !== undefined || pieces.remaining.some(isTrial))) {
    // "Already over".
    pieces.take(...pieces.all("window").filter((each) => "all" in each.window));
    const [window] = pieces.all("window");
    draft.where.push({ dimension: ended?.dimension ?? "trial_ends", ...overIn(window, context) });
    // Trials that expired may have converted since. "Expired trials" are still trials.
    for (const find of pieces.all("find").filter(isTrial))
      if (find.from < over.from) pieces.replace(find, { type: "find", find: "accounts" });
    pieces.take(over, ended, window);
  }
  const isAskedFor =
    pieces.asks("when") || (pieces.has("value", "account") && !pieces.has("find") && !pieces.asks("yes_no"));
  for (const date of dates()) {
    const isPast = isPastDate(date.dimension) && pieces.has("find");
    if (isAskedFor || !(isAhead(date.dimension) || isPast)) continue;
    // "Active users in the last month, renewal date".
    // "Not active in the last 30 days, with their last activity".
    const isOfOther = (each: PieceOf<"window">) => isPast && each.to <= date.from && belongsToCondition(each, pieces);
    const windows = pieces.all("window").filter((each) => !isOfMeasure(each) && !isOfOther(each));
    const window = nearest(pieces, date, windows);
    if (window === undefined) continue;
    const own = dateFilter(date.dimension, window, context);
    // "What share of users first seen in September": the whole.
    if (pieces.has("share")) pieces.replace(date, { type: "filter", filter: own });
    else draft.where.push(own);
    pieces.take(date, window);
  }
  const first = isoDate(context.firstDay ?? 0);
  for (const window of pieces.all("window")) {
    // "Since the beginning" adds nothing to another time.
    if ("all" in window.window && pieces.all("window").length > 1) pieces.take(window);
    // "Active after 1 October": from then until now.
    else if (window.isBound === "after" && "from" in window.window && dayOf(window.window.from) <= context.today)
      pieces.replace(window, { type: "window", window: { ...window.window, to: isoDate(context.today) } });
    // "Exports before 1 October": since recording began.
    else if (window.isBound === "before" && "to" in window.window && isAfterFirst(window.window.to, context))
      pieces.replace(window, { type: "window", window: { from: first, to: window.window.to } });
  }
  const windows = pieces.all("window");
  const isLater = (window: WindowName): boolean =>
    "next" in window || ("from" in window && dayOf(window.from) > context.today);
  if (windows.some(({ isBound, window }) => isBound !== undefined || isLater(window))) return;
  const [only, ...rest] = windows;
  if (only === undefined) return;
  const others = rest.filter((each) => JSON.stringify(each.window) !== JSON.stringify(only.window));
  if (others.length === 0) {
    const { window } = only;
    // "From September to October" are two times to compare. Too little is recorded before a long time.
    const isLong = "from" in window && unitOfSpan(window) === undefined && !isRecent(window, context);
    if (draft.compare?.to === "before" && isLong) {
      const isSeries = !pieces.has("find") && draft.limit === undefined && !pieces.asks("yes_no");
      if (dayOf(window.to) !== context.today || !isSeries) return;
      // "How did it develop since May": the series says so.
      delete draft.compare;
      delete draft.order;
      draft.per = "week";
    }
    draft.window = window;
    pieces.take(...windows);
    return;
  }
  for (const window of windows) {
    const condition = pieces.remaining
      .slice(0, pieces.remaining.indexOf(window))
      .findLast(
        (piece) => ACTIVITY.test(conditionOf(piece)?.dimension ?? "") && conditionOf(piece)?.window === undefined,
      );
    giveTo(condition, window, pieces);
  }
}

function giveTo(condition: Piece | undefined, window: PieceOf<"window">, pieces: Pieces): void {
  const own = conditionOf(condition);
  if (condition === undefined || own === null) return;
  pieces.replace(condition, { type: "filter", filter: { ...own, window: window.window } });
  pieces.take(window);
}

/** Tests whether a window follows an activity or a change: "inactive last week". */
export function belongsToCondition(window: PieceOf<"window">, pieces: Pieces): boolean {
  const before = conditionOf(pieces.before(window));
  const isTimed = before !== null && (isWindowed(before) || before.dimension === "health");
  return isTimed && before.window === undefined && window.isVague !== true;
}

const isAfterFirst = (day: string, { firstDay, today }: DraftContext): boolean =>
  firstDay !== undefined && dayOf(day) >= firstDay && dayOf(day) <= today;

const MAX_RECENT_DAYS = 45;

const isRecent = ({ from, to }: DateRange, { today }: DraftContext): boolean =>
  dayOf(to) === today && today - dayOf(from) <= MAX_RECENT_DAYS;

/** Returns the filter that a piece means: "exported in October" is one too. */
function conditionOf(piece: Piece | undefined): Filter | null {
  if (isA(piece, "filter")) return piece.filter;
  const [is, ...others] = isEvent(piece) ? piece.values : [];
  return is === undefined || others.length > 0 ? null : { dimension: "event", is };
}

/** Expired means before today, even in a month that isn't over. */
function overIn(window: PieceOf<"window"> | undefined, { today }: DraftContext): Pick<Filter, "to" | "within"> {
  if (window === undefined) return { to: isoDate(today - 1) };
  if (window.isBound === "before" && "to" in window.window) return { to: window.window.to };
  return { within: window.window };
}

const isTimed = (piece: Piece): boolean =>
  isA(piece, "measure") || /^(?:active|event|events)$/.test(conditionOf(piece)?.dimension ?? "");

const ACTIVITY = /^(?:active|events|active_days|active_users|event|features_used|stage|health|seats|mrr)$/;

const nearest = (pieces: Pieces, to: Piece, windows: readonly PieceOf<"window">[]): PieceOf<"window"> | undefined => {
  const at = pieces.remaining.indexOf(to);
  const distance = (window: PieceOf<"window">) => {
    const offset = pieces.remaining.indexOf(window) - at;
    return offset > 0 ? offset : 0.5 - offset;
  };
  return windows.toSorted((a, b) => distance(a) - distance(b))[0];
};

/** Returns a window for a date extends to the end of its calendar unit, if the unit isn't over. */
export function dateFilter(
  dimension: string,
  { window: past, ahead, isBound }: Pick<PieceOf<"window">, "window" | "ahead" | "isBound">,
  { today }: DraftContext,
): Filter {
  const window = isAhead(dimension) ? (ahead ?? past) : past;
  if (isBound === "before" && "to" in window && isPastDate(dimension)) return { dimension, to: window.to };
  if (isBound === "before" && "to" in window) return { dimension, within: { from: isoDate(today), to: window.to } };
  if (isBound === "after" && "from" in window) return { dimension, from: window.from };
  return { dimension, within: window };
}

/** Reads that something was used, was first used or is no longer used. */
import type { Filter } from "../../query/model.ts";
import { windowDays, DEFAULT_WINDOW, isoDate } from "../../query/windows.ts";
import type { Draft, Piece } from "../fragments/fragments.ts";
import type { Pieces } from "../fragments/pieces.ts";
import { dimensionOf, isA, isEvent, isWho, measureName } from "../fragments/pieces.ts";
import type { DraftContext } from "./context.ts";

/** "used", without an event beside it. */
export function takeUses(pieces: Pieces, draft: Draft, context: DraftContext): void {
  for (const use of pieces.all("use")) {
    const hasFeatures = pieces.has("find", "features");
    // "Features they use besides exports" are used.
    const isLeftOut = (piece: Piece): boolean =>
      isA(piece, "filter") && piece.filter.isNot !== undefined && hasFeatures;
    const hasEvent = pieces.remaining.some((piece) => dimensionOf(piece) === "event" && !isLeftOut(piece));
    const isOfSeats = pieces.remaining.some((piece) =>
      /^(?:seat_use|unused_seats|features_used)$/.test(dimensionOf(piece) ?? measureName(piece) ?? ""),
    );
    const isListed = draft.order === undefined && draft.per === undefined && draft.find === undefined;
    const next = pieces.after(use);
    // "The people who use Lumen's account": its users.
    const who = pieces.remaining.find(isWho);
    const hasUsers = pieces.has("find", "users");
    if (use.use === "uses" && !hasEvent && isA(next, "value", "account") && (hasUsers || who)) {
      if (!hasUsers && who !== undefined) pieces.replace(who, { type: "find", find: "users" });
      pieces.take(use, ...pieces.all("find", "accounts").filter((each) => each === pieces.after(next)));
      continue;
    }
    const isOfItems = pieces.first("find")?.find === "items";
    if (use.use === "uses" && hasFeatures && !hasEvent && isListed) {
      draft.where.push({ dimension: "active", is: true });
      pieces.take(use);
    } else if (use.use === "uses" && (isOfSeats || hasEvent || hasFeatures)) pieces.take(use);
    // "How many events did Lumen generate".
    else if (use.use === "uses" && pieces.has("measure", "events") && !pieces.has("aggregate")) pieces.take(use);
    // "Notices about users who left": not the notices.
    else if (use.use === "arose" && (pieces.has("measure", "events") || (isOfItems && !hasUsers))) pieces.take(use);
    else if (use.use === "never" && hasFeatures && !hasEvent) {
      draft.where.push({ dimension: "active", is: false, window: { all: true } });
      pieces.take(use);
    } else if (use.use === "started") {
      const events = pieces.remaining.filter(isEvent);
      const [value, ...others] = events.flatMap(({ values }) => values);
      // "When did Lumen export for the first time".
      if (value !== undefined && pieces.asks("when"))
        pieces.replace(use, { type: "dimension", dimension: "first_seen" });
      if (value === undefined || others.length > 0 || pieces.asks("when")) continue;
      if (pieces.asks("yes_no") && !pieces.has("window")) continue;
      draft.where.push(...started(value, pieces, context));
      pieces.take(use, ...events);
    } else if (use.use === "stopped") {
      // "Stopped paying", "used to have more than 10 seats": not an activity.
      if (pieces.has("filter", "active") || isA(next, "measure", "mrr", "seats") || isA(next, "filter", "mrr", "seats"))
        continue;
      const values = pieces.all("value", "event");
      const [event] = values;
      const isOr = event !== undefined && event.values.length > 1 && event.all !== true;
      if (values.length > 1 || isOr || pieces.all("use").length > 1) continue;
      draft.where.push(
        ...(event?.values.flatMap((value) => stopped("event", value, pieces, context)) ??
          stopped("active", true, pieces, context)),
      );
      pieces.take(use, event);
    }
  }
}

/** Returns filters for what held at some time and not in the window, or in a past window and not since. */
function stopped(dimension: string, is: string | true, pieces: Pieces, { today }: DraftContext): Filter[] {
  const isNot = is === true ? { dimension, is: false } : { dimension, isNot: is };
  const [only, ...others] = pieces.all("window");
  const to = only === undefined || others.length > 0 || only.isBound ? today : windowDays(only.window, today).to;
  if (only === undefined || to >= today) return [{ dimension, is, window: { all: true } }, isNot];
  pieces.take(only);
  const since = { from: isoDate(to + 1), to: isoDate(today) };
  return [
    { dimension, is, window: only.window },
    { ...isNot, window: since },
  ];
}

/** Returns filters for what was used in the window and never before. */
function started(is: string, pieces: Pieces, { today, firstDay }: DraftContext): Filter[] {
  const window = pieces.first("window")?.window ?? DEFAULT_WINDOW;
  const { from } = windowDays(window, today);
  const used: Filter = { dimension: "event", is };
  const first = firstDay ?? from - 365;
  if (first >= from) return [used];
  return [
    { ...used, window },
    { dimension: "event", isNot: is, window: { from: isoDate(first), to: isoDate(from - 1) } },
  ];
}

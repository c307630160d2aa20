/** Writes a query in plain English. Different queries have different texts. */
import { canonical, isWindowed } from "./canonical.ts";
import { isChange, isPeriod } from "./check.ts";
import { clauseOf } from "./clauses.ts";
import { COUNTS } from "./dimensions.ts";
import { withImpliedOrder } from "./implied.ts";
import type { Filter, Query } from "./model.ts";
import { labelOf, type DisplayNames } from "./display-names.ts";
import {
  directionOf,
  measureOf,
  nounOf,
  nounWithout,
  orderKind,
  orderOf,
  shareOf,
  textOf,
  type QueryWording,
} from "./noun-phrases.ts";
import { comparedToText, queryWhenText, statedWindow } from "./window-texts.ts";
import * as words from "./words.ts";
import { fillTemplate, joinWithAnd, uncapitalize, capitalize } from "./words.ts";

/** @param given checked */
export function restate(given: Query, names: DisplayNames): string {
  const query = withImpliedOrder(canonical(given));
  const asked = { ...names, query, noun: nounOf(query, names) };
  return capitalize(formOf(asked).replaceAll(/\{(\w+)\}/g, (_, place: string) => PLACES[place]?.(asked) ?? ""));
}

function formOf(asked: QueryWording): string {
  const { query, noun } = asked;
  const { find, show, measure, per, aggregate, compare, limit } = query;
  const { list, count, share, value, yes_no: yesNo, when, why, summary } = words.FORMS;
  const top = limit === 1 ? "topOne" : "top";
  switch (show) {
    case "list":
      if (isTop(asked)) return list[top];
      return measure === undefined || isOrderImplied(asked) ? list.all : list.allWith;
    case "count":
      if (per !== undefined) return count.per;
      return noun.named === null && noun.clauses.at(-1)?.main ? count.that : count.all;
    case "share":
      return share.of;
    case "value":
      if (per !== undefined) return isTop(asked) ? value[top] : value.per;
      if (measure === undefined) return value.events;
      if (aggregate !== undefined || !(COUNTS.has(measure) || ASKED.has(measure))) return value.is;
      return find === "events" ? value.were : (words.FORMS_OF_MEASURES[measure] ?? value.had);
    case "yes_no":
      if (compare !== undefined && find === "events") return yesNo.moreEvents;
      if (compare !== undefined) return yesNo[moreOf(measure ?? "events")];
      if (find === "events") return measure === undefined ? yesNo.anyEvents : yesNo.anyMeasured;
      if (noun.named !== "one" || noun.clauses.length === 0) return yesNo.any;
      return noun.clauses.length === 1 ? yesNo.one : yesNo.oneAmong;
    case "when":
      return measure === undefined ? when.changed : (words.FORMS_OF_MEASURES[measure] ?? when.is);
    case "why": {
      const state = askedFilter(query);
      const { named, clauses } = nounWithout(query, state, asked);
      return state !== undefined && named === "one" && clauses.length === 0 ? why.one : why.all;
    }
    case "summary":
      return summary.of;
  }
}

/** Values that have a question of their own. */
const ASKED = new Set(["seats", "account"]);

const moreOf = (measure: string): "more" | "higher" => (COUNTS.has(measure) || measure === "seats" ? "more" : "higher");

/** The texts for the places of forms. */
const PLACES: Readonly<Record<string, (asked: QueryWording) => string>> = {
  np: ({ noun }) => noun.text,
  many: ({ noun }) => noun.many,
  counted: ({ noun }) => `${textOf(noun.head, noun.clauses.slice(0, -1))} ${noun.clauses.at(-1)?.main}`,
  head: ({ noun }) => noun.head,
  among: ({ query, noun }) => textOf(words.NOUNS[query.find], noun.clauses),
  was: ({ noun }) => (noun.named === "one" ? "was" : "were"),
  do: ({ noun }) => (noun.named === "one" ? "does" : "do"),
  of: ({ query: { find, of = [], where }, ...names }) => nounOf({ find, where: of }, names, where).text,
  part: ({ query, noun }) => shareOf(noun, query.find),
  ask: askOf,
  n: ({ query }) => String(query.limit),
  m: (asked) => labelOf(asked.query.measure ?? "", asked),
  measured: measureOf,
  per: (asked) => labelOf(asked.query.per ?? "", asked),
  order: orderPlace,
  tail: tailOf,
};

/** Returns the change or the state that a question is about. */
const askedFilter = ({ show, where }: Query): Filter | undefined =>
  where.find((filter) =>
    show === "when"
      ? isChange(filter)
      : filter.dimension === "health" && filter.is !== undefined && filter.asOf === undefined,
  );

function askOf(asked: QueryWording): string {
  const { query, noun } = asked;
  if (query.show === "yes_no") return noun.clauses[0]?.ask(noun.head) ?? "";
  const filter = askedFilter(query);
  return filter === undefined ? "" : uncapitalize(clauseOf(filter, asked).ask(nounWithout(query, filter, asked).text));
}

function orderPlace(asked: QueryWording): string {
  const { query } = asked;
  const { show, measure = "events", order } = query;
  const direction = directionOf(query);
  if (show === "value") return words.MOST[direction];
  if (show === "yes_no") return words.MORE[moreOf(measure)][direction];
  const kind = orderKind(order?.by ?? measure, asked);
  const tops = query.limit === 1 ? words.TOPS_OF_ONE : words.TOPS;
  return kind === "text" ? "" : fillTemplate(tops[kind][direction], { m: labelOf(measure, asked) });
}

/** Tests whether the order says what is shown: "most events first". */
function isOrderImplied(asked: QueryWording): boolean {
  const { measure, order } = asked.query;
  const by = order?.by ?? measure;
  return by !== undefined && (by === measure || by === "change") && orderKind(by, asked) !== "text";
}

/** Tests whether a form has the order and the limit: "Which 5 accounts had the most events". */
function isTop(asked: QueryWording): boolean {
  const { find, show, measure, per, order, limit } = asked.query;
  if (limit === undefined) return false;
  if (show === "list") return measure !== undefined && isOrderImplied(asked);
  return find === "events" && order !== undefined && per !== undefined && isPeriod(per);
}

/** Returns the columns, the order, the limit, the window and the comparison. */
function tailOf(asked: QueryWording): string {
  const { query } = asked;
  const { show, limit, compare, with: columns = [] } = query;
  const named = columns.map((name) => labelOf(name, asked));
  const shown = named.length === 0 ? "" : fillTemplate(words.COLUMNS, { columns: joinWithAnd(named) });
  const most = limit === undefined || isTop(asked) ? "" : fillTemplate(words.AT_MOST, { n: String(limit) });
  const before = `${shown}${orderTail(asked)}${most}`;
  const window = statedWindow(query);
  // "When did Acme churn" means at any time, if nothing else has a time.
  const isAlone = query.where.every((filter) => isWindowed(filter) === isChange(filter) && filter.window === undefined);
  const isOfAll = show === "when" && query.measure === undefined && window !== undefined && "all" in window && isAlone;
  const time = window === undefined || isOfAll ? "" : queryWhenText(query, window);
  const compared = show === "yes_no" ? words.COMPARED.than : words.COMPARED.with;
  const then = compare === undefined ? "" : fillTemplate(compared, { what: comparedToText(query, asked) });
  return `${before}${before === "" || time === "" ? "" : ","}${time}${then}`;
}

function orderTail(asked: QueryWording): string {
  const { query } = asked;
  const { show, measure, order } = query;
  const isImplied = isOrderImplied(asked);
  if (isTop(asked) || show === "yes_no" || (order === undefined && (show !== "list" || !isImplied))) return "";
  if (show === "count") return words.ORDERED.byCount;
  const by = order?.by ?? measure ?? "";
  return fillTemplate(isImplied ? words.ORDERED.byMeasure : words.ORDERED.byOther, {
    order: orderOf(query, by, asked),
  });
}

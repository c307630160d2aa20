/** Writes a query in plain English. Different queries have different texts. */
import { canonical, isChange, isListed } from "./canonical.ts";
import { isPeriod } from "./check.ts";
import { clauseOf } from "./clauses.ts";
import { COUNTS } from "./dimensions.ts";
import type { Query, Show } from "./model.ts";
import { labelOf, type DisplayNames } from "./display-names.ts";
import {
  directionOf,
  measureOf,
  nounOf,
  nounWithout,
  orderKind,
  orderOf,
  shareOf,
  type Worded,
} from "./noun-phrases.ts";
import { comparedToText, queryWhenText, windowOf } from "./window-texts.ts";
import * as words from "./words.ts";
import { fill, joined, lower, upper } from "./words.ts";

/** @param given checked */
export function restate(given: Query, names: DisplayNames): string {
  const query = canonical(given);
  return upper(QUESTIONS[query.show]({ ...names, query, noun: nounOf(query, names) }));
}

const QUESTIONS: Readonly<Record<Show, (asked: Worded) => string>> = {
  list,
  count,
  share,
  value,
  yes_no: (asked) => (asked.query.compare === undefined ? yesNo(asked) : moreOrLess(asked)),
  when: (asked) => (asked.query.measure === undefined ? whenChanged(asked) : whenIs(asked, asked.query.measure)),
  why,
  summary: (asked) => ask(asked, words.FORMS.summary.of),
};

const whenIs = (asked: Worded, moment: string): string => ask(asked, words.WHEN[moment] ?? words.FORMS.when.is);

function ask(asked: Worded, form: string, places: Record<string, string> = {}, tail = tailOf(asked)): string {
  const { query, noun } = asked;
  const m = labelOf(query.measure ?? "", asked);
  const was = noun.named === "one" ? "was" : "were";
  return fill(form, { np: noun.text, m, was, tail, ...places });
}

/** The columns, the order, the limit, the window and the comparison. */
function tailOf(asked: Worded, isRanked = false, compared: string = words.COMPARED.with): string {
  const { query } = asked;
  const { limit, compare, with: columns = [] } = query;
  const named = columns.map((name) => labelOf(name, asked));
  const shown = named.length === 0 ? "" : fill(words.COLUMNS, { m: joined(named) });
  const order = isRanked ? "" : orderTail(asked);
  const most = isRanked || limit === undefined ? "" : fill(words.AT_MOST, { n: String(limit) });
  const before = `${shown}${order}${most}`;
  const window = windowOf(query);
  const time = window === undefined ? "" : queryWhenText(query, window);
  const then = compare === undefined ? "" : fill(compared, { what: comparedToText(query, asked) });
  return `${before}${before === "" || time === "" ? "" : ","}${time}${then}`;
}

function orderTail(asked: Worded): string {
  const { query } = asked;
  const { measure, order, show } = query;
  const isOfGroups = query.per !== undefined && order !== undefined;
  if (!isListed(query) && !isOfGroups) return "";
  if (isOfGroups && show === "count") return words.ORDERED.byCount;
  const by = order?.by ?? (show === "list" ? measure : undefined);
  if (by === undefined) return "";
  const isText = orderKind(by, asked) === "text";
  if (isText && order === undefined) return "";
  const isOwn = by === "change" || (by === measure && !isText);
  return fill(isOwn ? words.ORDERED.byMeasure : words.ORDERED.byOther, { order: orderOf(query, by, asked) });
}

/** Whether periods are sorted. */
const isOfPeriods = ({ find, per, order }: Query): boolean =>
  find === "events" && order !== undefined && per !== undefined && isPeriod(per);

function list(asked: Worded): string {
  const { query } = asked;
  const { measure, order, limit } = query;
  if (measure === undefined) return ask(asked, words.FORMS.list.all);
  const by = order?.by ?? measure;
  const kind = orderKind(by, asked);
  // "Most events first" says what is shown.
  const isImplied = (by === measure || by === "change") && kind !== "text";
  if (!isImplied) return ask(asked, words.FORMS.list.allWith);
  if (limit === undefined) return ask(asked, words.FORMS.list.all);
  const top = fill(words.TOPS[kind][directionOf(query)], { m: labelOf(measure, asked) });
  const form = limit === 1 ? words.FORMS.list.topOne : words.FORMS.list.top;
  return ask(asked, form, { n: String(limit), top }, tailOf(asked, true));
}

function count(asked: Worded): string {
  const { query, noun } = asked;
  const { per } = query;
  if (per !== undefined) return ask(asked, words.FORMS.count.per, { per: labelOf(per, asked) });
  const main = noun.clauses.at(-1)?.main ?? null;
  if (noun.named !== null || main === null) return ask(asked, words.FORMS.count.all, { np: noun.many });
  const np = [noun.head, ...noun.clauses.slice(0, -1).map(({ after }) => after)].join(" ");
  return ask(asked, words.FORMS.count.that, { np, main });
}

function share(asked: Worded): string {
  const { find, of = [] } = asked.query;
  const whole = nounOf({ find, where: of }, asked).text;
  return ask(asked, words.FORMS.share.of, { of: whole, main: shareOf(asked.noun, find) });
}

function value(asked: Worded): string {
  const { query } = asked;
  const { measure, per, aggregate, limit } = query;
  const measured = measureOf(asked);
  if (per === undefined) {
    if (measure === undefined) return ask(asked, words.FORMS.value.events);
    if (aggregate !== undefined || !COUNTS.has(measure)) return ask(asked, words.FORMS.value.is, { measured });
    return ask(asked, words.HOW_MANY[measure] ?? words.FORMS.value.had);
  }
  const places = { measured, per: labelOf(per, asked) };
  if (limit === undefined || !isOfPeriods(query)) return ask(asked, words.FORMS.value.per, places);
  const form = limit === 1 ? words.FORMS.value.topOne : words.FORMS.value.top;
  const most = words.MOST[directionOf(query)];
  return ask(asked, form, { ...places, most, n: String(limit) }, tailOf(asked, true));
}

function yesNo(asked: Worded): string {
  const { find, measure } = asked.query;
  const { head, many, clauses, named } = asked.noun;
  const [only] = clauses;
  if (find === "events")
    return ask(asked, measure === undefined ? words.FORMS.yes_no.anyEvents : words.FORMS.yes_no.anyOfEvents);
  if (only === undefined || named !== "one") return ask(asked, words.FORMS.yes_no.any, { np: many });
  if (clauses.length === 1) return ask(asked, words.FORMS.yes_no.one, { ask: only.ask(head) });
  const rest = clauses.map(({ after }) => after).join(" ");
  return ask(asked, words.FORMS.yes_no.oneAmong, { head, many: words.NOUNS[find], rest });
}

function moreOrLess(asked: Worded): string {
  const { query } = asked;
  const { find, measure = "events" } = query;
  const direction = directionOf(query);
  const m = labelOf(measure, asked);
  const places = { m, more: words.MORE[direction], higher: words.HIGHER[direction] };
  const tail = tailOf(asked, false, words.COMPARED.than);
  if (find === "events" && measure === "events") return ask(asked, words.FORMS.yes_no.moreEvents, places, tail);
  return ask(asked, COUNTS.has(measure) ? words.FORMS.yes_no.more : words.FORMS.yes_no.higher, places, tail);
}

function whenChanged(asked: Worded): string {
  const { query } = asked;
  const change = query.where.find(isChange);
  const noun = nounWithout(query, change, asked);
  const did = change === undefined ? "" : lower(clauseOf(change, asked).ask(noun.text));
  return ask({ ...asked, noun }, words.FORMS.when.changed, { ask: did });
}

function why(asked: Worded): string {
  const { query } = asked;
  const state = query.where.find(
    ({ dimension, is, asOf }) => dimension === "health" && is !== undefined && asOf === undefined,
  );
  const others = nounWithout(query, state, asked);
  if (state !== undefined && others.named === "one" && others.clauses.length === 0)
    return ask(asked, words.FORMS.why.one, { np: others.text, state: words.codeWords("health", String(state.is)) });
  return ask(asked, words.FORMS.why.all);
}

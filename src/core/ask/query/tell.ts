/** Tells what a query comes to: a sentence, lists with a line per row, and the evidence of every figure in it. */
import { canonical, isChange, isListed } from "./canonical.ts";
import { isPeriod } from "./check.ts";
import { Grounds, several } from "./figures.ts";
import type { Query } from "./model.ts";
import type { QueryResult, ResultRow } from "./result.ts";
import { aggregateOf, isCount, orderKind, upper } from "./say-measures.ts";
import { type Clause, clauseOf, type Voice } from "./say-clauses.ts";
import { labelOf, sayEntity } from "./say-names.ts";
import { forOne, singular } from "./say-singular.ts";
import { type Noun, nounOf, shareOf } from "./say-nouns.ts";
import { tellWhy } from "./tell-health.ts";
import { beforeText, groupLines, linesOf, rowLine, rowsOf, valueText } from "./tell-values.ts";
import { refuse, type Telling, thenText, timeText, type Told, told } from "./telling.ts";
import * as formWords from "./words-of-forms.ts";
import * as words from "./words.ts";

/** @param given checked, and no summary */
export function tell(given: Query, result: QueryResult, telling: Telling): Told {
  return new Teller(canonical(given), result, telling).tell();
}

class Teller {
  readonly #query: Query;
  readonly #result: QueryResult;
  readonly #telling: Telling;
  readonly #grounds: Grounds;
  readonly #voice: Voice;

  constructor(query: Query, result: QueryResult, telling: Telling) {
    this.#query = query;
    this.#result = result;
    this.#telling = telling;
    this.#grounds = new Grounds(telling.now);
    this.#voice = { ...telling, other: false };
    for (const { dimension, is, in: anyOf } of query.where) {
      const type = dimension === "event" ? "feature" : dimension;
      if (type !== "account" && type !== "user" && type !== "feature") continue;
      for (const id of anyOf ?? [is ?? []].flat()) this.#grounds.add("attribute", type, sayEntity(type, id, telling));
    }
  }

  tell(): Told {
    const { show, per, measure = "events" } = this.#query;
    const isOverflowed = this.#result.rows.some((row) => isInfinite(row.value) || isInfinite(row.before));
    // A list has the other rows.
    if (isOverflowed && show !== "list") {
      const what = `${labelOf(measure, this.#telling)} of ${this.#noun().text}`;
      return refuse("unmeasured_attribute", `The sum of ${what} is too large to be told.`);
    }
    switch (show) {
      case "count":
        return per === undefined ? this.#count() : this.#groups();
      case "share":
        return this.#share();
      case "value":
        return per === undefined ? this.#value() : this.#groups();
      case "yes_no":
        return this.#yesNo();
      case "when":
        return this.#when();
      case "why":
        return tellWhy(this.#query, this.#result, this.#noun().text, this.#grounds);
      case "list":
      case "summary":
        return this.#list();
    }
  }

  #noun(skipped = -1): Noun {
    const { find, where } = this.#query;
    return nounOf(
      find,
      where.filter((_, place) => place !== skipped),
      this.#voice,
    );
  }

  #time(): string {
    return timeText(this.#query, this.#result, this.#grounds, this.#telling);
  }

  #then(): string {
    return thenText(this.#query, this.#result, this.#grounds, this.#telling);
  }

  #counted(count: number): string {
    const figures = this.#grounds.number(this.#query.find, count);
    return count === 0 ? "No" : figures;
  }

  #count(): Told {
    const { find, where } = this.#query;
    const { rows, total, population } = this.#result;
    const count = find === "features" ? total : Number(rows[0]?.value ?? 0);
    const { text, head, clauses } = this.#noun();
    const last = clauses.at(-1);
    const isOne = count === 1;
    const time = this.#time();
    const outOf =
      population === null || where.length === 0 || population <= count
        ? ""
        : `, out of ${this.#grounds.number("population", population)}`;
    if (last === undefined || last.main === null) {
      const noun = isOne ? singular(head, clauses) : text;
      return told(
        `There ${isOne ? "is" : "are"} ${this.#counted(count).toLowerCase()} ${noun}${time}${outOf}.`,
        count,
        this.#grounds,
      );
    }
    const others = clauses.slice(0, -1);
    const np = isOne ? singular(head, others) : [head, ...others.map(({ after }) => after)].join(" ");
    const sentence = `${this.#counted(count)} ${np} ${isOne ? forOne(last.main) : last.main}`;
    return told(`${sentence}${time}${outOf}.`, count, this.#grounds);
  }

  #share(): Told {
    const { find, of = [] } = this.#query;
    const { rows, matched, population } = this.#result;
    const { value } = rows[0] ?? {};
    const whole = nounOf(find, of, this.#voice);
    if (typeof value !== "number" || !Number.isFinite(value) || matched === null || population === null)
      return refuse("no_data_in_window", `There are no ${whole.text} to have a share of.`);
    const [percent, part, all] = [
      this.#grounds.number("share", value),
      this.#grounds.number(find, matched),
      this.#grounds.number("population", population),
    ];
    const noun = population === 1 ? singular(whole.head, whole.clauses) : whole.text;
    const text = `${percent}% of the ${all} ${noun} ${shareOf(this.#noun(), find)}`;
    return told(`${text}${this.#time()}: ${part} of ${all}.`, value, this.#grounds);
  }

  #groups(): Told {
    const { per = "" } = this.#query;
    const { rows, total } = this.#result;
    const { text } = this.#noun();
    const label = isPeriod(per) ? per : labelOf(per, this.#telling);
    const what = this.#grouped(text);
    const time = this.#time();
    if (rows.length === 0) return told(`There are no ${text}${time}.`, [], this.#grounds);
    const lines = groupLines(this.#query, this.#result, this.#grounds, this.#telling);
    const isOrdered = this.#query.order !== undefined;
    const [best] = lines;
    if (isOrdered && this.#query.limit === 1 && best !== undefined)
      return told(`${upper(this.#topOf(text, label))}${time}: ${best}.`, rowsOf(this.#query, rows), this.#grounds);
    const hidden = Math.max(0, total - rows.length);
    return told(
      `${upper(what)} per ${label}${time}:${linesOf(lines, lines.length + hidden, this.#grounds, isPeriod(per) && !isOrdered)}`,
      rowsOf(this.#query, rows),
      this.#grounds,
    );
  }

  /** `the day with the most events from Acme` */
  #topOf(text: string, per: string): string {
    const { measure, order } = this.#query;
    const what = measure === undefined ? text : `${labelOf(measure, this.#telling)} in ${text}`;
    return `the ${per} with the ${formWords.MOST[order?.direction === "up" ? 1 : 0]} ${what}`;
  }

  /** What is told per group: `accounts`, `events from Acme`, `MRR of customers`. */
  #grouped(text: string): string {
    const { find, show, where, measure } = this.#query;
    if (show === "count" || measure === undefined) return text;
    const isOfAll = find === "accounts" && where.length === 0 && !isCount(measure);
    const label = labelOf(measure, this.#telling);
    return `${aggregateOf(this.#query, label) ?? label}${isOfAll ? "" : ` of ${text}`}`;
  }

  #value(): Told {
    const { find, measure = "events", aggregate } = this.#query;
    const isNothing =
      aggregate === undefined && this.#result.rows.length === 0 && isCount(measure) && find !== "features";
    const rows: readonly ResultRow[] = isNothing ? [{ value: 0 }] : this.#result.rows;
    const { text, names } = this.#noun();
    const [first] = rows;
    const label = labelOf(measure, this.#telling);
    if (isListed(this.#query) && (rows.length > 1 || names !== "one")) return this.#list();
    const values = rows.map((row) => valueText(row, this.#query, this.#result, this.#grounds, this.#telling));
    const known = values.filter((value) => value !== null);
    if (known.length === 0 || first === undefined) return this.#unknown(label, text);
    const time = this.#time();
    const then = this.#then();
    const changed = rows.map((row) => beforeText(row, this.#query, this.#result, then, this.#grounds));
    const parts = known
      .map((value, place) => `${value}${changed[place] ?? ""}`)
      .join(known.some((_, place) => changed[place]) ? "; " : " and ");
    const single = first.value ?? null;
    const value = rows.length === 1 && single !== null ? single : rowsOf(this.#query, rows);
    return told(
      this.#valueSentence(text, names === "one", parts, {
        first: known[0] ?? "",
        change: changed[0] ?? "",
        time,
        find,
      }),
      value,
      this.#grounds,
    );
  }

  #valueSentence(
    text: string,
    isOne: boolean,
    parts: string,
    { first, change, time, find }: Record<string, string>,
  ): string {
    const { measure = "events", aggregate } = this.#query;
    if (find === "events")
      return `There were ${first}${measure === "events" ? ofEvents(text) : ` in ${text}`}${time}${change}.`;
    if (isCount(measure) && aggregate === undefined)
      return `${upper(text)} ${measure === "features_used" ? `used ${(first ?? "").replace(" used", "")}` : `had ${first}`}${time}${change}.`;
    if (measure === "last_seen" || measure === "first_seen")
      return `${upper(text)} ${isOne ? "was" : "were"} ${measure === "last_seen" ? "last active" : "first seen"} on ${parts}.`;
    const total = find === "accounts" && !isOne ? words.TOTALS[measure] : undefined;
    const own = labelOf(measure, this.#telling);
    const label = aggregateOf(this.#query, own) ?? total ?? own;
    const isAll = label !== own && this.#query.where.length === 0;
    return `The ${label}${isAll ? "" : ` of ${text}`}${time} is ${parts}.`;
  }

  #unknown(label: string, text: string): Told {
    const { measure = "" } = this.#query;
    if (measure === "score" || measure === "health")
      return refuse("insufficient_history", `There is no health score of ${text} yet.`);
    if (measure === "last_seen") return refuse("no_data_in_window", `No activity of ${text} is recorded.`);
    return refuse("unmeasured_attribute", `The ${label} of ${text} is not known.`);
  }

  #list(): Told {
    const { measure, limit, order } = this.#query;
    const { rows, total } = this.#result;
    const { text, head, clauses, names } = this.#noun();
    const time = this.#time();
    const grounds = this.#grounds;
    if (rows.length === 0) return told(`There are no ${text}${time}.`, [], grounds);
    const then = this.#then();
    const lines = rows.map((row) => rowLine(row, this.#query, this.#result, then, grounds, this.#telling));
    const value = rowsOf(this.#query, rows);
    const some = limit !== undefined && limit < total ? `${this.#grounds.number("limit", rows.length)} of ` : "";
    const count = grounds.number(this.#query.find, total);
    const noun = total === 1 ? singular(head, clauses) : text;
    const by = order?.by ?? measure;
    const kind = by === "change" ? "change" : orderKind(by ?? "", this.#telling);
    const sorted =
      by === undefined || total === 1 || kind === "text"
        ? ""
        : `, ${words.fill(formWords.ORDERS[kind][(order?.direction ?? "down") === "down" ? 0 : 1], { m: labelOf(by === "change" ? (measure ?? "") : by, this.#telling) })} first`;
    const lead = names === null ? `${some}${count} ${noun}` : upper(text);
    const compared = then === "" ? "" : `, compared with ${then.replace(/^(?:in|of) /, "")}`;
    return told(
      `${lead}${sorted}${time}${compared}:${linesOf(lines, some === "" ? total : rows.length, grounds)}`,
      value,
      grounds,
    );
  }

  #yesNo(): Told {
    const { find, compare, measure = "events" } = this.#query;
    const { rows, total } = this.#result;
    const { text, head, clauses, names } = this.#noun();
    const [only] = clauses;
    if (compare !== undefined) return this.#moreOrLess(text);
    const time = this.#time();
    const grounds = this.#grounds;
    if (find === "events") {
      const count = Number(rows[0]?.value ?? 0);
      const counted = several(
        grounds.number(measure, count, this.#result.window ?? undefined),
        labelOf(measure, this.#telling),
      );
      const rest = measure === "events" ? ofEvents(text) : ` in ${text}`;
      return told(`${count > 0 ? "Yes" : "No"}, there were ${counted}${rest}${time}.`, count > 0, grounds);
    }
    const holds = total > 0;
    if (names === "one" && clauses.length === 1 && only !== undefined) {
      const sentence = only.say(head, holds);
      return told(`${holds ? "Yes" : "No"}, ${theOf(sentence)}${time}.`, holds, grounds);
    }
    if (!holds) return told(`No, there are no ${text}${time}.`, false, grounds);
    const count = grounds.number(find, total);
    const lines = rows.map((row) =>
      rowLine({ ...row, value: null }, this.#query, this.#result, "", grounds, this.#telling),
    );
    const noun = total === 1 ? singular(head, clauses) : text;
    return told(
      `Yes, there ${total === 1 ? "is" : "are"} ${count} ${noun}${time}:${linesOf(lines, total, grounds)}`,
      true,
      grounds,
    );
  }

  #moreOrLess(text: string): Told {
    const { measure = "events", order } = this.#query;
    const [row] = this.#result.rows;
    const { value, before } = row ?? {};
    const label = labelOf(measure, this.#telling);
    if (typeof value !== "number" || typeof before !== "number") return this.#unknown(label, text);
    const holds = order?.direction === "up" ? value < before : value > before;
    const shown = valueText(row ?? {}, this.#query, this.#result, this.#grounds, this.#telling);
    const change = beforeText(row ?? {}, this.#query, this.#result, this.#then(), this.#grounds);
    return told(`${holds ? "Yes" : "No"}: ${shown} for ${text}${this.#time()}${change}.`, holds, this.#grounds);
  }

  #when(): Told {
    const { measure, where } = this.#query;
    const { rows, total } = this.#result;
    const place = measure === undefined ? where.findIndex(isChange) : -1;
    const filter = where[place];
    const { text, names } = this.#noun(place);
    const [row] = rows;
    const clause: Clause | null = filter === undefined ? null : clauseOf(filter, this.#voice);
    const time = this.#time();
    if (row === undefined)
      return told(
        clause === null ? `There are no ${text}.` : `${upper(clause.say(text, false))}${time}.`,
        [],
        this.#grounds,
      );
    if (names !== "one" || total > 1) return this.#list();
    if (typeof row.value !== "string") return this.#unknown(labelOf(measure ?? "", this.#telling), text);
    const date = this.#grounds.date(measure ?? filter?.dimension ?? "", row.value);
    if (clause !== null) return told(`${upper(clause.say(text, true))} on ${date}.`, row.value, this.#grounds);
    if (measure === "trial_ends") return told(`The trial of ${text} ends on ${date}.`, row.value, this.#grounds);
    const seen = measure === "last_seen" ? "last active" : "first seen";
    const sentence =
      measure === "last_seen" || measure === "first_seen"
        ? `${text} was ${seen}`
        : `The ${labelOf(measure ?? "", this.#telling)} of ${text} is`;
    return told(`${upper(sentence)} on ${date}.`, row.value, this.#grounds);
  }
}

const isInfinite = (value: unknown): boolean => typeof value === "number" && !Number.isFinite(value);

/** ` of Report Exported`, ` from Acme`: what follows the number of events. */
const ofEvents = (text: string): string => {
  const [named = "", ...rest] = text.split(/\bevents\b/);
  return `${named.trim() === "" ? "" : ` of ${named.trim()}`}${rest.join("events")}`;
};

const theOf = (sentence: string): string => (sentence.startsWith("The ") ? `the ${sentence.slice(4)}` : sentence);

/** Tells what a query comes to: a sentence, lists with a line per row, and the evidence of every figure in it. */
import { canonical, isChange } from "./canonical.ts";
import { several } from "./figures.ts";
import type { Query } from "./model.ts";
import type { QueryResult } from "./result.ts";
import { orderKind, upper } from "./say-measures.ts";
import { type Clause, clauseOf } from "./say-clauses.ts";
import { labelOf } from "./say-names.ts";
import { singular } from "./say-singular.ts";
import { tellWhy } from "./tell-health.ts";
import { beforeText, linesOf, rowLine, rowsOf, valueText } from "./tell-values.ts";
import { refuse, type Telling, type Told, told } from "./telling.ts";
import * as formWords from "./words-of-forms.ts";
import * as words from "./words.ts";
import { FigureTeller, ofEvents } from "./tell-figures.ts";

/** @param given checked, and no summary */
export function tell(given: Query, result: QueryResult, telling: Telling): Told {
  return new AnswerTeller(canonical(given), result, telling).tell();
}

class AnswerTeller extends FigureTeller {
  tell(): Told {
    const { show, per, measure = "events" } = this.query;
    const isOverflowed = this.result.rows.some((row) => isInfinite(row.value) || isInfinite(row.before));
    // A list has the other rows.
    if (isOverflowed && show !== "list") {
      const what = `${labelOf(measure, this.telling)} of ${this.noun().text}`;
      return refuse("unmeasured_attribute", `The sum of ${what} is too large to be told.`);
    }
    switch (show) {
      case "count":
        return per === undefined ? this.count() : this.groups();
      case "share":
        return this.share();
      case "value":
        return per === undefined ? this.value() : this.groups();
      case "yes_no":
        return this.#yesNo();
      case "when":
        return this.#when();
      case "why":
        return tellWhy(this.query, this.result, this.noun().text, this.grounds);
      case "list":
      case "summary":
        return this.list();
    }
  }

  protected list(): Told {
    const { measure, limit, order } = this.query;
    const { rows, total } = this.result;
    const { text, head, clauses, names } = this.noun();
    const time = this.time();
    const grounds = this.grounds;
    if (rows.length === 0) return told(`There are no ${text}${time}.`, [], grounds);
    const then = this.compared();
    const lines = rows.map((row) => rowLine(row, this.query, this.result, then, grounds, this.telling));
    const value = rowsOf(this.query, rows);
    const some = limit !== undefined && limit < total ? `${this.grounds.number("limit", rows.length)} of ` : "";
    const count = grounds.number(this.query.find, total);
    const noun = total === 1 ? singular(head, clauses) : text;
    const by = order?.by ?? measure;
    const kind = by === "change" ? "change" : orderKind(by ?? "", this.telling);
    const sorted =
      by === undefined || total === 1 || kind === "text"
        ? ""
        : `, ${words.fill(formWords.ORDERS[kind][(order?.direction ?? "down") === "down" ? 0 : 1], { m: labelOf(by === "change" ? (measure ?? "") : by, this.telling) })} first`;
    const lead = names === null ? `${some}${count} ${noun}` : upper(text);
    const compared = then === "" ? "" : `, compared with ${then.replace(/^(?:in|of) /, "")}`;
    return told(
      `${lead}${sorted}${time}${compared}:${linesOf(lines, some === "" ? total : rows.length, grounds)}`,
      value,
      grounds,
    );
  }

  #yesNo(): Told {
    const { find, compare, measure = "events" } = this.query;
    const { rows, total } = this.result;
    const { text, head, clauses, names } = this.noun();
    const [only] = clauses;
    if (compare !== undefined) return this.#moreOrLess(text);
    const time = this.time();
    const grounds = this.grounds;
    if (find === "events") {
      const count = Number(rows[0]?.value ?? 0);
      const counted = several(
        grounds.number(measure, count, this.result.window ?? undefined),
        labelOf(measure, this.telling),
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
      rowLine({ ...row, value: null }, this.query, this.result, "", grounds, this.telling),
    );
    const noun = total === 1 ? singular(head, clauses) : text;
    return told(
      `Yes, there ${total === 1 ? "is" : "are"} ${count} ${noun}${time}:${linesOf(lines, total, grounds)}`,
      true,
      grounds,
    );
  }

  #moreOrLess(text: string): Told {
    const { measure = "events", order } = this.query;
    const [row] = this.result.rows;
    const { value, before } = row ?? {};
    const label = labelOf(measure, this.telling);
    if (typeof value !== "number" || typeof before !== "number") return this.unknown(label, text);
    const holds = order?.direction === "up" ? value < before : value > before;
    const shown = valueText(row ?? {}, this.query, this.result, this.grounds, this.telling);
    const change = beforeText(row ?? {}, this.query, this.result, this.compared(), this.grounds);
    return told(`${holds ? "Yes" : "No"}: ${shown} for ${text}${this.time()}${change}.`, holds, this.grounds);
  }

  #when(): Told {
    const { measure, where } = this.query;
    const { rows, total } = this.result;
    const place = measure === undefined ? where.findIndex(isChange) : -1;
    const filter = where[place];
    const { text, names } = this.noun(place);
    const [row] = rows;
    const clause: Clause | null = filter === undefined ? null : clauseOf(filter, this.voice);
    const time = this.time();
    if (row === undefined)
      return told(
        clause === null ? `There are no ${text}.` : `${upper(clause.say(text, false))}${time}.`,
        [],
        this.grounds,
      );
    if (names !== "one" || total > 1) return this.list();
    if (typeof row.value !== "string") return this.unknown(labelOf(measure ?? "", this.telling), text);
    const date = this.grounds.date(measure ?? filter?.dimension ?? "", row.value);
    if (clause !== null) return told(`${upper(clause.say(text, true))} on ${date}.`, row.value, this.grounds);
    if (measure === "trial_ends") return told(`The trial of ${text} ends on ${date}.`, row.value, this.grounds);
    const seen = measure === "last_seen" ? "last active" : "first seen";
    const sentence =
      measure === "last_seen" || measure === "first_seen"
        ? `${text} was ${seen}`
        : `The ${labelOf(measure ?? "", this.telling)} of ${text} is`;
    return told(`${upper(sentence)} on ${date}.`, row.value, this.grounds);
  }
}

const isInfinite = (value: unknown): boolean => typeof value === "number" && !Number.isFinite(value);

const theOf = (sentence: string): string => (sentence.startsWith("The ") ? `the ${sentence.slice(4)}` : sentence);

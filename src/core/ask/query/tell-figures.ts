/** Tells figures: how many, which share, one value, or a value for each group. */
import { isListed } from "./canonical.ts";
import { isPeriod } from "./check.ts";
import type { ResultRow } from "./result.ts";
import { aggregateOf, isCount, upper } from "./say-measures.ts";
import { labelOf } from "./say-names.ts";
import { forOne, singular } from "./say-singular.ts";
import { nounOf, shareOf } from "./say-nouns.ts";
import { beforeText, groupLines, linesOf, rowsOf, valueText } from "./tell-values.ts";
import { refuse, type Told, told } from "./telling.ts";
import * as formWords from "./words-of-forms.ts";
import * as words from "./words.ts";
import { Teller } from "./teller.ts";

export abstract class FigureTeller extends Teller {
  protected abstract list(): Told;

  protected count(): Told {
    const { where } = this.query;
    const { rows, population } = this.result;
    const count = Number(rows[0]?.value ?? 0);
    const { text, head, clauses } = this.noun();
    const last = clauses.at(-1);
    const isOne = count === 1;
    const time = this.time();
    const outOf =
      population === null || where.length === 0 || population <= count
        ? ""
        : `, out of ${this.grounds.number("population", population)}`;
    if (last === undefined || last.main === null) {
      const noun = isOne ? singular(head, clauses) : text;
      return told(
        `There ${isOne ? "is" : "are"} ${this.counted(count).toLowerCase()} ${noun}${time}${outOf}.`,
        count,
        this.grounds,
      );
    }
    const others = clauses.slice(0, -1);
    const np = isOne ? singular(head, others) : [head, ...others.map(({ after }) => after)].join(" ");
    const sentence = `${this.counted(count)} ${np} ${isOne ? forOne(last.main) : last.main}`;
    return told(`${sentence}${time}${outOf}.`, count, this.grounds);
  }

  protected share(): Told {
    const { find, of = [] } = this.query;
    const { rows, matched, population } = this.result;
    const { value } = rows[0] ?? {};
    const whole = nounOf(find, of, this.voice);
    if (typeof value !== "number" || !Number.isFinite(value) || matched === null || population === null)
      return refuse("no_data_in_window", `There are no ${whole.text} to have a share of.`);
    const [percent, part, all] = [
      this.grounds.number("share", value),
      this.grounds.number(find, matched),
      this.grounds.number("population", population),
    ];
    const noun = population === 1 ? singular(whole.head, whole.clauses) : whole.text;
    const text = `${percent}% of the ${all} ${noun} ${shareOf(this.noun(), find)}`;
    return told(`${text}${this.time()}: ${part} of ${all}.`, value, this.grounds);
  }

  protected groups(): Told {
    const { per = "" } = this.query;
    const { rows, total } = this.result;
    const { text } = this.noun();
    const label = isPeriod(per) ? per : labelOf(per, this.telling);
    const what = this.#grouped(text);
    const time = this.time();
    if (rows.length === 0) return told(`There are no ${text}${time}.`, [], this.grounds);
    const lines = groupLines(this.query, this.result, this.grounds, this.telling);
    const isOrdered = this.query.order !== undefined;
    const [best] = lines;
    if (isOrdered && this.query.limit === 1 && best !== undefined)
      return told(`${upper(this.#topOf(text, label))}${time}: ${best}.`, rowsOf(this.query, rows), this.grounds);
    const hidden = Math.max(0, total - rows.length);
    return told(
      `${upper(what)} per ${label}${time}:${linesOf(lines, lines.length + hidden, this.grounds, isPeriod(per) && !isOrdered)}`,
      rowsOf(this.query, rows),
      this.grounds,
    );
  }

  /** `the day with the most events from Acme` */
  #topOf(text: string, per: string): string {
    const { measure, order } = this.query;
    const what = measure === undefined ? text : `${labelOf(measure, this.telling)} in ${text}`;
    return `the ${per} with the ${formWords.MOST[order?.direction === "up" ? 1 : 0]} ${what}`;
  }

  /** What is told per group: `accounts`, `events from Acme`, `MRR of customers`. */
  #grouped(text: string): string {
    const { find, show, where, measure } = this.query;
    if (show === "count" || measure === undefined) return text;
    const isOfAll = find === "accounts" && where.length === 0 && !isCount(measure);
    const label = labelOf(measure, this.telling);
    return `${aggregateOf(this.query, label) ?? label}${isOfAll ? "" : ` of ${text}`}`;
  }

  protected value(): Told {
    const { find, measure = "events", aggregate } = this.query;
    const isNothing =
      aggregate === undefined && this.result.rows.length === 0 && isCount(measure) && find !== "features";
    const rows: readonly ResultRow[] = isNothing ? [{ value: 0 }] : this.result.rows;
    const { text, names } = this.noun();
    const [first] = rows;
    const label = labelOf(measure, this.telling);
    if (isListed(this.query) && (rows.length > 1 || names !== "one")) return this.list();
    const values = rows.map((row) => valueText(row, this.query, this.result, this.grounds, this.telling));
    const known = values.filter((value) => value !== null);
    if (known.length === 0 || first === undefined) return this.unknown(label, text);
    const time = this.time();
    const then = this.compared();
    const changed = rows.map((row) => beforeText(row, this.query, this.result, then, this.grounds));
    const parts = known
      .map((value, place) => `${value}${changed[place] ?? ""}`)
      .join(known.some((_, place) => changed[place]) ? "; " : " and ");
    const single = first.value ?? null;
    const value = rows.length === 1 && single !== null ? single : rowsOf(this.query, rows);
    return told(
      this.#valueSentence(text, names === "one", parts, {
        first: known[0] ?? "",
        change: changed[0] ?? "",
        time,
        find,
      }),
      value,
      this.grounds,
    );
  }

  #valueSentence(
    text: string,
    isOne: boolean,
    parts: string,
    { first, change, time, find }: Record<string, string>,
  ): string {
    const { measure = "events", aggregate } = this.query;
    if (find === "events")
      return `There were ${first}${measure === "events" ? ofEvents(text) : ` in ${text}`}${time}${change}.`;
    if (isCount(measure) && aggregate === undefined)
      return `${upper(text)} ${measure === "features_used" ? `used ${(first ?? "").replace(" used", "")}` : `had ${first}`}${time}${change}.`;
    if (measure === "last_seen" || measure === "first_seen")
      return `${upper(text)} ${isOne ? "was" : "were"} ${measure === "last_seen" ? "last active" : "first seen"} on ${parts}.`;
    const total = find === "accounts" && !isOne ? words.TOTALS[measure] : undefined;
    const own = labelOf(measure, this.telling);
    const label = aggregateOf(this.query, own) ?? total ?? own;
    const isAll = label !== own && this.query.where.length === 0;
    return `The ${label}${isAll ? "" : ` of ${text}`}${time} is ${parts}.`;
  }
}

/** ` of Report Exported`, ` from Acme`: what follows the number of events. */
export const ofEvents = (text: string): string => {
  const [named = "", ...rest] = text.split(/\bevents\b/);
  return `${named.trim() === "" ? "" : ` of ${named.trim()}`}${rest.join("events")}`;
};

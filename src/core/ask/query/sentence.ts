/** The parts of a restatement: what is found, its order and limit, its time and its comparison. */
import { isListed } from "./canonical.ts";
import { isPeriod } from "./check.ts";
import type { Query } from "./model.ts";
import type { Voice } from "./say-clauses.ts";
import { canLead, joined, orderKind, thenOf, whenOf, windowOf } from "./say-measures.ts";
import { labelOf } from "./say-names.ts";
import { type Noun, nounOf } from "./say-nouns.ts";
import * as formWords from "./words-of-forms.ts";
import * as words from "./words.ts";

/** How a query is put. */
export interface Manner {
  /** Which of several forms. */
  form: number;
  /** Uses other words, and the filters in another order. */
  other: boolean;
  windowFirst: boolean;
}

export class Sentence {
  protected readonly query: Query;
  protected readonly voice: Voice;
  protected readonly manner: Manner;

  constructor(query: Query, voice: Voice, manner: Manner) {
    this.query = query;
    this.voice = voice;
    this.manner = manner;
  }

  protected noun(without: (place: number) => boolean = () => false): Noun {
    const { find, where } = this.query;
    return nounOf(
      find,
      where.filter((_, place) => !without(place)),
      this.voice,
    );
  }

  protected label(name: string): string {
    return labelOf(name, this.voice, this.manner.other);
  }

  /** Fills a form. The tail is the order, the limit, the window and the comparison. */
  protected say(forms: readonly string[], places: Record<string, string>, tail = this.tail()): string {
    const form = forms[this.manner.form] ?? forms[0] ?? "";
    return words.fill(form, { tail, ...places });
  }

  protected tail({
    isRanked = false,
    compared = formWords.COMPARED.with,
  }: { isRanked?: boolean; compared?: string } = {}): string {
    const { limit, compare } = this.query;
    const order = isRanked ? "" : this.order();
    const most = isRanked || limit === undefined ? "" : words.fill(formWords.AT_MOST, { n: String(limit) });
    const columns = this.columns();
    const window = windowOf(this.query);
    const isAhead = this.manner.windowFirst && canLead(this.query);
    const time =
      window === undefined || isAhead
        ? ""
        : `${`${columns}${order}${most}` === "" ? "" : ","}${whenOf(this.query, window, this.manner.other)}`;
    const then = compare === undefined ? "" : words.fill(compared, { what: this.compared(compared) });
    return `${columns}${order}${most}${time}${then}`;
  }

  protected columns(): string {
    const { with: columns = [] } = this.query;
    return columns.length === 0
      ? ""
      : words.fill(formWords.COLUMNS, { m: joined(columns.map((name) => this.label(name))) });
  }

  protected compared(compared: string): string {
    const then = thenOf(this.query, this.voice);
    return compared === formWords.COMPARED.with ? then.replace(/^in /, "") : then;
  }

  protected order(): string {
    const { measure, order } = this.query;
    if (!isListed(this.query) && !this.isOfPeriods()) return "";
    const by = order?.by ?? (this.query.show === "list" ? measure : undefined);
    if (by === undefined) return "";
    const place = (order?.direction ?? "down") === "down" ? 0 : 1;
    if (by === "change")
      return words.fill(formWords.ORDERED.byMeasure, {
        order: words.fill(formWords.ORDERS.change[place], { m: this.label(measure ?? "") }),
      });
    const kind = orderKind(by, this.voice);
    if (by === measure && kind === "text" && order === undefined) return "";
    const text = words.fill(formWords.ORDERS[kind][place], { m: this.label(by) });
    const isOwn = by === measure && kind !== "text";
    return words.fill(isOwn ? formWords.ORDERED.byMeasure : formWords.ORDERED.byOther, { order: text });
  }

  /** Whether periods are sorted. */
  protected isOfPeriods(): boolean {
    const { find, per, order } = this.query;
    return find === "events" && order !== undefined && per !== undefined && isPeriod(per);
  }
}

/** The text of one query: a form for what it shows, filled with what it finds. */
import { isChange, isWindowed } from "./canonical.ts";
import { clauseOf } from "./say-clauses.ts";
import { aggregateOf, isCount, isMeasure, orderKind } from "./say-measures.ts";
import { labelOf, type Speech } from "./say-names.ts";
import { nounOf, shareOf } from "./say-nouns.ts";
import { sayWhen } from "./say-windows.ts";
import * as clauseWords from "./words-of-clauses.ts";
import * as formWords from "./words-of-forms.ts";
import * as words from "./words.ts";
import { Sentence } from "./sentence.ts";

export class Restatement extends Sentence {
  text(): string {
    switch (this.query.show) {
      case "list":
        return this.#list();
      case "count":
        return this.#count();
      case "share":
        return this.#share();
      case "value":
        return this.query.find === "events" ? this.#events() : this.#value();
      case "yes_no":
        return this.#yesNo();
      case "when":
        return this.#when();
      case "why":
        return this.#why();
      case "summary":
        return this.say(formWords.FORMS.summary, { np: this.noun().text });
    }
  }

  #list(): string {
    const { find, measure, order, limit } = this.query;
    const np = this.noun();
    const by = order?.by ?? measure;
    const isTop = limit !== undefined && measure !== undefined && (by === measure || by === "change");
    const kind = by === "change" ? "change" : orderKind(by ?? "", this.voice);
    if (isTop && kind !== "text") {
      const top = words.fill(formWords.TOPS[kind][(order?.direction ?? "down") === "down" ? 0 : 1], {
        m: this.label(measure),
      });
      const form = limit === 1 ? formWords.FORMS.topOne : formWords.FORMS.top;
      return this.say(form, { n: String(limit), np: np.text, top }, this.tail({ isRanked: true }));
    }
    const isOrdered =
      measure !== undefined && find !== "items" && (order === undefined || by === measure || by === "change");
    const their =
      measure === undefined || (isOrdered && kind !== "text")
        ? ""
        : words.fill(formWords.THEIR, { m: this.label(measure) });
    return this.say(formWords.FORMS.list, { np: `${np.text}${their}` });
  }

  #count(): string {
    const { per } = this.query;
    const { text, head, clauses, names } = this.noun();
    if (per !== undefined) return this.say(formWords.FORMS.countPer, { np: text, per: this.label(per) });
    if (names !== null) return this.say(formWords.FORMS.countOne, { np: text });
    const last = clauses.at(-1);
    if (last === undefined || last.main === null || this.manner.form !== 0)
      return this.say(formWords.FORMS.countThere, { np: text });
    const np = [head, ...clauses.slice(0, -1).map(({ after }) => after)].join(" ");
    return this.say(formWords.FORMS.count, { np, main: last.main });
  }

  #share(): string {
    const { find, of = [] } = this.query;
    const whole = nounOf(find, of, this.voice).text;
    return this.say(formWords.FORMS.share, { of: whole, main: shareOf(this.noun(), find) });
  }

  #value(): string {
    const { find, measure = "", per, where } = this.query;
    const { text, names } = this.noun();
    const isOne = names === "one";
    const isTotal = find === "accounts" && !isOne;
    const aggregated = aggregateOf(this.query, this.label(measure));
    const m = aggregated ?? (isTotal ? words.TOTALS[measure] : undefined) ?? this.label(measure);
    const places = { np: text, m, was: isOne ? "was" : "were", per: per === undefined ? "" : this.label(per) };
    const isOfAll = find === "accounts" && where.length === 0 && !isCount(measure) && isMeasure(measure);
    if (per !== undefined) {
      const forms = isOfAll ? formWords.FORMS.valuePerOfAll : formWords.FORMS.valuePer;
      return this.say(forms, { ...places, m: aggregated ?? this.label(measure) });
    }
    const howMany = aggregated === undefined && isMeasure(measure) ? formWords.HOW_MANY[measure] : undefined;
    return this.say(howMany ?? (isOfAll ? formWords.FORMS.valueOfAll : formWords.FORMS.value), places);
  }

  #events(): string {
    const { measure, per = "", order, limit } = this.query;
    const places = {
      np: this.noun().text,
      m: this.label(measure ?? ""),
      per: per === "" ? "" : periodOr(per, this.voice),
    };
    if (limit !== undefined && this.isOfPeriods()) {
      const np = measure === undefined ? places.np : `${places.m} in ${places.np}`;
      const most = formWords.MOST[order?.direction === "up" ? 1 : 0];
      const forms = limit === 1 ? formWords.FORMS.topPeriod : formWords.FORMS.topPeriods;
      return this.say(forms, { ...places, np, most, n: String(limit) }, this.tail({ isRanked: true }));
    }
    if (measure === undefined) return this.say(per === "" ? formWords.FORMS.events : formWords.FORMS.eventsPer, places);
    return this.say(per === "" ? formWords.FORMS.involved : formWords.FORMS.involvedPer, places);
  }

  #yesNo(): string {
    const { find, measure, compare } = this.query;
    const { text, head, clauses, names } = this.noun();
    const [only] = clauses;
    if (compare !== undefined) return this.#moreOrLess(text);
    const m = this.label(measure ?? "");
    if (find === "events")
      return this.say(measure === undefined ? formWords.FORMS.anyEvents : formWords.FORMS.anyInvolved, {
        np: text,
        m,
      });
    if (names === null) return this.say(formWords.FORMS.any, { np: text });
    if (only === undefined || names === "some") return this.say(formWords.FORMS.anyOne, { np: text });
    if (clauses.length === 1) return `${only.ask(head)}${this.tail()}?`;
    return this.say(formWords.FORMS.among, {
      one: head,
      many: words.NOUNS[find][0],
      rest: clauses.map(({ after }) => after).join(" "),
    });
  }

  #moreOrLess(np: string): string {
    const { find, measure = "events", order } = this.query;
    const place = order?.direction === "up" ? 1 : 0;
    const places = { np, m: this.label(measure), more: formWords.MORE[place], higher: formWords.HIGHER[place] };
    const tail = this.tail({ compared: formWords.COMPARED.than });
    if (find === "events")
      return this.say(measure === "events" ? formWords.FORMS.moreEvents : formWords.FORMS.moreInvolved, places, tail);
    return this.say(isCount(measure) ? formWords.FORMS.more : formWords.FORMS.higher, places, tail);
  }

  #when(): string {
    const { measure, where } = this.query;
    if (measure === undefined) {
      const place = where.findIndex(isChange);
      const change = where[place];
      const { text, names } = this.noun((each) => each === place);
      const clause = change === undefined ? null : clauseOf(change, this.voice);
      const wanted = clause?.did ?? clause?.ask("").trim() ?? "";
      const did = names === "one" ? ofOne(wanted) : wanted;
      const label = change?.changed === undefined ? null : `the ${labelOf(change.dimension, this.voice)} of ${text}`;
      const base = change?.changed === undefined ? did : clauseWords.CHANGES[change.changed][1];
      const end =
        change?.window === undefined || !isWindowed(change) || change.changed === undefined
          ? ""
          : ` ${sayWhen(change.window)}`;
      return this.say(formWords.WHEN["change"] ?? [], { np: label ?? text, did: `${base}${end}` });
    }
    const { text, names } = this.noun();
    const forms = formWords.WHEN[measure] ?? formWords.WHEN["other"] ?? [];
    return this.say(forms, { np: text, m: this.label(measure), was: names === "one" ? "was" : "were" });
  }

  #why(): string {
    const { where } = this.query;
    const place = where.findIndex(
      ({ dimension, is, asOf }) => dimension === "health" && is !== undefined && asOf === undefined,
    );
    const { text, names, clauses } = this.noun((each) => each === place);
    const state = words.CODES["health"]?.[String(where[place]?.is)];
    if (names === "one" && clauses.length === 0 && state !== undefined)
      return this.say(formWords.FORMS.whyState, { np: text, state });
    return this.say(formWords.FORMS.why, { np: this.noun().text });
  }
}

/** `become a customer`, of one. */
const ofOne = (text: string): string => text.replace(/\bcustomers\b/, words.ONE.get("customers") ?? "customers");

const periodOr = (per: string, speech: Speech): string =>
  words.PERIOD_WORDS.includes(per) ? per : labelOf(per, speech);

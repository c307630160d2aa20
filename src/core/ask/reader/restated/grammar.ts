/**
 * A small parser for templates with places. A place holds one of its rules' templates, or what a terminal reads. Work
 * is bounded: each place is read at most once at each character, and only `MAX_MATCHES` of its readings are kept.
 */
import type { Filter, Query } from "../../query/model.ts";
import { cached } from "../words/mentions.ts";

/** The meaning of a part of a text: parts of a query, and the values that they are made of. */
export type Part = Partial<Query> & {
  n?: number;
  day?: string;
  name?: string;
  values?: NonNullable<Filter["in"]>;
  own?: Pick<Filter, "window" | "asOf">;
};

/** A template with places in braces. `make` adds to the merged parts of its places, or converts them. */
export type Rule = readonly [template: string, make?: Part | ((part: Part) => Part)];

export interface Match {
  end: number;
  part: Part;
}

export interface Grammar {
  rules: (place: string) => readonly Rule[] | undefined;
  /** Reads a place without templates. */
  terminal: (place: string, text: string, at: number) => readonly Match[];
}

const MAX_MATCHES = 40;

export class Parser {
  /** How many rules were tried. */
  work = 0;
  readonly #text: string;
  readonly #lower: string;
  readonly #grammar: Grammar;
  readonly #known = new Map<string, readonly Match[]>();

  constructor(text: string, grammar: Grammar) {
    this.#text = text;
    this.#lower = text.toLowerCase();
    this.#grammar = grammar;
  }

  read(place: string, at: number): readonly Match[] {
    const key = `${place} ${at}`;
    const known = this.#known.get(key);
    if (known !== undefined) return known;
    const rules = this.#grammar.rules(place);
    const found: Match[] = [];
    if (rules === undefined) found.push(...this.#grammar.terminal(place, this.#text, at));
    else
      for (const { pieces, make } of cut(rules)) {
        this.work += 1;
        for (const { end, part } of this.#match(pieces, at))
          found.push({ end, part: typeof make === "function" ? make(part) : merged(part, make) });
      }
    const distinct = [...new Map(found.map((each) => [JSON.stringify(each), each])).values()];
    this.#known.set(key, distinct);
    return distinct;
  }

  #match(pieces: readonly string[], at: number): Match[] {
    let matches: Match[] = [{ end: at, part: {} }];
    for (const piece of pieces) {
      matches = matches.flatMap(({ end, part }) => {
        if (!piece.startsWith("{"))
          return this.#lower.startsWith(piece, end) ? [{ end: end + piece.length, part }] : [];
        return this.read(piece.slice(1, -1), end)
          .filter((next) => (part.find ?? next.part.find) === (next.part.find ?? part.find))
          .map((next) => ({ end: next.end, part: merged(part, next.part) }));
      });
      if (matches.length > MAX_MATCHES) matches.length = MAX_MATCHES;
    }
    return matches;
  }
}

/** Rules with their templates cut into texts and places. */
const cut = cached((rules: readonly Rule[]) =>
  rules.map(([template, make = {}]) => {
    const pieces = template.split(/(\{[^{}]+\})/).filter((piece) => piece !== "");
    return { pieces: pieces.map((piece) => (piece.startsWith("{") ? piece : piece.toLowerCase())), make };
  }),
);

const LISTS = ["where", "with", "values"] as const;

function merged(a: Part, b: Part): Part {
  const result = { ...a, ...b };
  for (const name of LISTS) if (a[name] && b[name]) Object.assign(result, { [name]: [...a[name], ...b[name]] });
  return result;
}

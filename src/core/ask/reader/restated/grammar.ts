/**
 * A small parser for templates with places. A place holds one of its rules' templates, or what a terminal reads. Work
 * is bounded: each place is read at most once at each character, and each rule keeps at most `MAX_MATCHES` matches.
 */
import type { Filter, Query } from "../../query/model.ts";
import { memoize } from "../../memoize.ts";

/** The meaning of a part of a text: parts of a query, and the values that they are made of. */
export type Part = Partial<Query> & {
  values?: NonNullable<Filter["in"]>;
  own?: Pick<Filter, "window" | "asOf">;
};

/** A template with places in braces. `make` adds to the merged parts of its places, or converts them. */
export type Production = readonly [template: string, make?: Part | ((part: Part) => Part)];

export interface Match {
  end: number;
  part: Part;
}

const MAX_MATCHES = 40;

/**
 * @param rules by place
 * @param terminal reads a place without rules
 * @param work counts the rules that were matchRules
 * @returns a function that reads a place at a character of the text
 */
export function parserOf(
  text: string,
  rules: Readonly<Record<string, readonly Production[]>>,
  terminal: (place: string, at: number) => readonly Match[],
  work: { rules: number },
): (place: string, at: number) => readonly Match[] {
  const lower = text.toLowerCase();
  const known = new Map<string, readonly Match[]>();

  function read(place: string, at: number): readonly Match[] {
    const key = `${place} ${at}`;
    const choices = rules[place];
    const found = known.get(key) ?? distinct(choices === undefined ? terminal(place, at) : matchRules(choices, at));
    known.set(key, found);
    return found;
  }

  function matchRules(choices: readonly Production[], at: number): Match[] {
    const starts = new Set(["", "{", lower.charAt(at)]);
    const possible = Array.from(starts, (start) => cut(choices).get(start) ?? []).flat();
    work.rules += possible.length;
    return possible.flatMap(({ pieces, make }) =>
      follow(pieces, at).map(({ end, part }) => ({
        end,
        part: typeof make === "function" ? make(part) : merged(part, make),
      })),
    );
  }

  function follow(pieces: readonly string[], at: number): Match[] {
    let matches: Match[] = [{ end: at, part: {} }];
    for (const piece of pieces) {
      matches = matches.flatMap(({ end, part }) => {
        if (!piece.startsWith("{")) return lower.startsWith(piece, end) ? [{ end: end + piece.length, part }] : [];
        return read(piece.slice(1, -1), end).map((next) => ({ end: next.end, part: merged(part, next.part) }));
      });
      if (matches.length > MAX_MATCHES) matches.length = MAX_MATCHES;
    }
    return matches;
  }

  return read;
}

const distinct = (matches: readonly Match[]): readonly Match[] => [
  ...new Map(matches.map((each) => [JSON.stringify(each), each])).values(),
];

/** Rules, cut into texts and places, by the first character of their templates: a brace if they begin with a place. */
const cut = memoize((rules: readonly Production[]) => {
  const all = rules.map(([template, make = {}]) => {
    const pieces = template.split(/(\{[^{}]+\})/).filter((piece) => piece !== "");
    return { pieces: pieces.map((piece) => (piece.startsWith("{") ? piece : piece.toLowerCase())), make };
  });
  return Map.groupBy(all, ({ pieces: [first = ""] }) => first.charAt(0));
});

const LISTS = ["where", "with", "values"] as const;

/** A query finds what its first noun says: "users of accounts" are users. */
function merged(a: Part, b: Part): Part {
  const result = { ...a, ...b, ...(a.find && { find: a.find }) };
  for (const name of LISTS) if (a[name] && b[name]) Object.assign(result, { [name]: [...a[name], ...b[name]] });
  return result;
}

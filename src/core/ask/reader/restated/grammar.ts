/**
 * A small parser for templates with places. A place holds one of its rules' templates, or what a terminal reads. Work
 * is bounded: each place is read at most once at each character, and only `MAX_MATCHES` of its readings are kept.
 */
import type { Filter, Query } from "../../query/model.ts";
import { cached } from "../words/mentions.ts";

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
 * @param work counts the rules that were tried
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
    const found =
      known.get(key) ??
      distinct(choices === undefined ? terminal(place, at) : cut(choices).flatMap((rule) => follow(rule, at)));
    known.set(key, found);
    return found;
  }

  function follow({ pieces, make }: ReturnType<typeof cut>[number], at: number): Match[] {
    work.rules += 1;
    let matches: Match[] = [{ end: at, part: {} }];
    for (const piece of pieces) {
      matches = matches.flatMap(({ end, part }) =>
        piece.startsWith("{")
          ? read(piece.slice(1, -1), end).map((next) => ({ end: next.end, part: merged(part, next.part) }))
          : lower.startsWith(piece, end)
            ? [{ end: end + piece.length, part }]
            : [],
      );
      if (matches.length > MAX_MATCHES) matches.length = MAX_MATCHES;
    }
    return matches.map(({ end, part }) => ({
      end,
      part: typeof make === "function" ? make(part) : merged(part, make),
    }));
  }

  return read;
}

const distinct = (matches: readonly Match[]): readonly Match[] => [
  ...new Map(matches.map((each) => [JSON.stringify(each), each])).values(),
];

/** Rules with their templates cut into texts and places. */
const cut = cached((rules: readonly Production[]) =>
  rules.map(([template, make = {}]) => {
    const pieces = template.split(/(\{[^{}]+\})/).filter((piece) => piece !== "");
    return { pieces: pieces.map((piece) => (piece.startsWith("{") ? piece : piece.toLowerCase())), make };
  }),
);

const LISTS = ["where", "with", "values"] as const;

/** A query finds what its first noun says: "users of accounts" are users. */
function merged(a: Part, b: Part): Part {
  const result = { ...a, ...b, ...(a.find && { find: a.find }) };
  for (const name of LISTS) if (a[name] && b[name]) Object.assign(result, { [name]: [...a[name], ...b[name]] });
  return result;
}

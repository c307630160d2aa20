/**
 * A small parser for templates with places. A place holds one of its rules' templates, or what a terminal reads. Each
 * place is read at most once at each character. Work is bounded, because words can be repeated: a text with more matches
 * than `MAX_MATCHES`, in all its places together, isn't read. The rules are the same in every workspace: terminals know
 * the workspace's own words.
 */
import type { Filter, Query } from "../../query/model.ts";
import { memoizeByIdentity } from "../../memoize-by-identity.ts";

/** The meaning of a part of a text: parts of a query, and the values that they are made of. */
export type QueryPart = Partial<Query> & {
  /** The name of the trait whose label was read. */
  trait?: string;
  values?: NonNullable<Filter["in"]>;
  own?: Pick<Filter, "window" | "asOf" | "after" | "first">;
};

/**
 * A template with places in braces. `{values @}` is a place of the trait that was read before it, or else of the
 * dimension whose place the template is a rule of: `{value @}` in a rule of `values plan` is `{value plan}`. `make` adds to
 * the merged parts of its places, or converts them.
 */
export type Production = readonly [template: string, make?: QueryPart | ((part: QueryPart) => QueryPart)];

export interface Match {
  end: number;
  part: QueryPart;
}

/** One restatement in 4,000 has more. */
const MAX_MATCHES = 400;

/**
 * @param rules by place
 * @param terminal reads a place without rules
 * @param work counts the rules tried
 * @returns a function that reads a place at a character of the text
 */
export function templateParser(
  text: string,
  rules: Readonly<Record<string, readonly Production[]>>,
  terminal: (place: string, at: number) => readonly Match[],
  work: { rules: number },
): (place: string, at: number) => readonly Match[] {
  const lower = text.toLowerCase();
  const known = new Map<string, readonly Match[]>();
  let left = MAX_MATCHES;

  function read(place: string, at: number): readonly Match[] {
    const key = `${place} ${at}`;
    const [kind = "", dimension = ""] = place.split(/ (.*)/s, 2);
    const choices = rules[place] ?? rules[`${kind} @`];
    const earlier = known.get(key);
    if (earlier !== undefined || left <= 0) return earlier ?? [];
    const found = distinct(choices === undefined ? terminal(place, at) : matchRules(choices, at, dimension));
    known.set(key, found);
    left -= found.length;
    return found;
  }

  function matchRules(choices: readonly Production[], at: number, dimension: string): Match[] {
    const starts = new Set(["", "{", lower.charAt(at)]);
    const possible = Array.from(starts, (start) => cut(choices).get(start) ?? []).flat();
    work.rules += possible.length;
    return possible.flatMap(({ pieces, make }) =>
      follow(pieces, at, dimension).map(({ end, part }) => ({
        end,
        part: typeof make === "function" ? make(part) : merged(part, make),
      })),
    );
  }

  function follow(pieces: readonly string[], at: number, dimension: string): Match[] {
    let matches: Match[] = [{ end: at, part: {} }];
    for (const piece of pieces) {
      matches = matches.flatMap(({ end, part }) => {
        if (!piece.startsWith("{")) return lower.startsWith(piece, end) ? [{ end: end + piece.length, part }] : [];
        const place = piece.slice(1, -1).replace("@", () => part.trait ?? dimension);
        return read(place, end).map((next) => ({ end: next.end, part: merged(part, next.part) }));
      });
      if (matches.length > left) return [];
    }
    return matches;
  }

  return (place, at) => {
    const found = read(place, at);
    return left > 0 ? found : [];
  };
}

const distinct = (matches: readonly Match[]): readonly Match[] =>
  matches.length < 2 ? matches : [...new Map(matches.map((each) => [JSON.stringify(each), each])).values()];

/** Rules, cut into texts and places, by the first character of their templates: a brace if they begin with a place. */
const cut = memoizeByIdentity((rules: readonly Production[]) => {
  const all = rules.map(([template, make = {}]) => {
    const pieces = template.split(/(\{[^{}]+\})/).filter((piece) => piece !== "");
    return { pieces: pieces.map((piece) => (piece.startsWith("{") ? piece : piece.toLowerCase())), make };
  });
  return Map.groupBy(all, ({ pieces: [first = ""] }) => first.charAt(0));
});

const LISTS = ["where", "with", "values"] as const;

/** A query finds what its first noun says: "users of accounts" are users. */
function merged(a: QueryPart, b: QueryPart): QueryPart {
  const result = { ...a, ...b, ...(a.find && { find: a.find }) };
  for (const name of LISTS) if (a[name] && b[name]) Object.assign(result, { [name]: [...a[name], ...b[name]] });
  return result;
}

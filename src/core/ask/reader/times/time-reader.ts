/** Reads times: "in the last 30 days", "October", "since 1 March", "between May and July", "next quarter". */
import type { Day } from "../../../health/model.ts";
import type { WindowName } from "../../query/model.ts";
import { dayOf, isoDate } from "../../query/windows.ts";
import { TIMES_AFTER_WORD, PARTS_OF_TIMES, type Phrase, WINDOW_PHRASES, SIMPLE_TIMES } from "./time-phrases.ts";

export interface TimePhrase {
  window: WindowName;
  /** The window for a date that may be in the future: "in January" is the next one. */
  ahead: WindowName;
  /** How many characters of the text it takes. */
  length: number;
  /** "before March": the window bounds dates that may be in the future. */
  isBound?: "before" | "after";
  /** "From September to October": both times, which may be compared. */
  ends?: readonly [WindowName, WindowName];
}

/** Cuts phrases at their places. A hyphen may stand for a space. */
const compiled = (phrases: readonly Phrase[], kind?: "led" | "part") =>
  phrases.map(([pattern, read, isBound]) => {
    const parts = pattern.split(/\{([a-z]*)\}/).map((part) => part.replaceAll(" ", "[ -]"));
    const texts = parts.filter((_, index) => index % 2 === 0);
    const regexes = texts.map((text, index) => {
      const end = index === texts.length - 1 ? "(?![^ /–-])" : "";
      return new RegExp(`(?:${text})${end}`, "y");
    });
    return { regexes, places: parts.filter((_, index) => index % 2 === 1), read, isBound, kind };
  });
type Compiled = ReturnType<typeof compiled>[number];

const WHOLE = [...compiled(SIMPLE_TIMES), ...compiled(TIMES_AFTER_WORD, "led")];
/** What the places of a phrase hold. Parts of times have no parts, so that work is bounded. */
const TIMES = [...compiled(PARTS_OF_TIMES, "part"), ...WHOLE];
const ALL = compiled(WINDOW_PHRASES);

interface Found {
  window: WindowName;
  times: readonly WindowName[];
  end: number;
  phrase: Compiled;
}

/** Reads times in one text. Each place is read once at each position. */
export class TimeReader {
  readonly #known = new Map<string, Found | null>();
  readonly #text: string;
  readonly #today: Day;

  /** @param text normalized words, divided by single spaces, hyphens or slashes */
  constructor(text: string, today: Day) {
    this.#text = text;
    this.#today = today;
  }

  /** Reads the longest time that begins at a position. */
  timeAt(at: number): TimePhrase | null {
    const best = this.#longest(ALL, at, false);
    if (best === null) return null;
    const ahead = this.#longest([best.phrase], at, true)?.window ?? best.window;
    const [first, last] = best.times.map((time) => begun(time, this.#today));
    const { isBound } = best.phrase;
    return {
      window: begun(best.window, this.#today),
      ahead,
      length: best.end - at,
      ...(isBound && { isBound }),
      ...(first && last && { ends: [first, last] as const }),
    };
  }

  #place(isPart: boolean, at: number, isAhead: boolean): Found | null {
    const key = `${isPart} ${at} ${isAhead}`;
    const known = this.#known.get(key);
    if (known !== undefined) return known;
    const found = this.#longest(isPart ? WHOLE : TIMES, at, isAhead);
    this.#known.set(key, found);
    return found;
  }

  #longest(phrases: readonly Compiled[], at: number, isAhead: boolean): Found | null {
    let best: Found | null = null;
    for (const phrase of phrases) {
      const found = this.#match(phrase, at, isAhead, best?.end ?? at);
      if (found !== null) best = found;
    }
    return best;
  }

  /** @returns `null` unless it is longer than what is known already */
  #match(phrase: Compiled, at: number, isAhead: boolean, reached: number): Found | null {
    const groups: string[] = [];
    const times: WindowName[] = [];
    let end = at;
    for (const [index, regex] of phrase.regexes.entries()) {
      if (index > 0) {
        const time = this.#place(phrase.kind === "part", end, isAhead);
        if (time === null || (time.phrase.kind === "led" && phrase.places[index - 1] === "alone")) return null;
        times.push(time.window);
        end = time.end;
      }
      regex.lastIndex = end;
      const match = regex.exec(this.#text);
      if (match === null) return null;
      groups.push(...match.slice(1).map((group: string | undefined) => group ?? ""));
      end = regex.lastIndex;
    }
    if (end <= reached) return null;
    const [a = "", b = "", c = "", d = "", ...rest] = groups;
    const window = phrase.read([a, b, c, d, ...rest], { today: this.#today, isAhead, times });
    return window && { window, times, end, phrase };
  }
}

/** Cuts off the future days of a window that has begun. */
const begun = (window: WindowName, today: Day): WindowName =>
  "from" in window && dayOf(window.from) < today && dayOf(window.to) > today
    ? { from: window.from, to: isoDate(today) }
    : window;

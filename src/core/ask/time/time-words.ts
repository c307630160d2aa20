/**
 * What a question says of time, read after the names in it, so that an account called "March Networks" is no date. The
 * days are those of UTC; which of them is today was decided before, by the asker's time zone.
 */
import { durationAt } from "./amounts.ts";
import { recently, relativeAt } from "./relative-times.ts";
import { ever, previous, range, since } from "./stretches.ts";
import { articleAt, phraseLength, type TimeContext, wordAt } from "./time-context.ts";
import { lengthened, longest, type TimePhrase } from "./time-phrase.ts";
import { pointPhrase } from "./time-points.ts";

const PREFIXES: ReadonlySet<string> = new Set("in during over for within on of throughout across through".split(" "));
/** What only relative times follow: "events from March" may mean since March. */
const RELATIVE_PREFIXES: ReadonlySet<string> = new Set(["from"]);
const DURATION_PREFIXES: ReadonlySet<string> = new Set("for in within".split(" "));
/** A part of a time is not the time: "the end of March". */
const PARTS: ReadonlySet<string> = new Set(
  "end start beginning half middle week weeks day days rest part most month months quarter quarters first last close remainder".split(
    " ",
  ),
);
const COURSE_PREFIXES: ReadonlySet<string> = new Set("over in during".split(" "));
/** "Over the course of the last week", "in the month of October". */
const LONG_PREFIXES: readonly string[] = [
  "the course of the",
  "the course of",
  "the space of the",
  "the month of",
  "the year of",
];

/** The time that is spoken of from a token on, at its longest. */
export function timeAt(context: TimeContext, at: number): TimePhrase | null {
  const start = at + (["the", "these", "those"].includes(wordAt(context, at)) ? 1 : 0);
  const prefix = wordAt(context, start);
  const bare = longest([
    ever(context, start),
    previous(context, start),
    since(context, start),
    context.areTimesApart === true && prefix !== "from" ? null : range(context, start),
    stretchAt(context, start),
  ]);
  const course = COURSE_PREFIXES.has(prefix) ? phraseLength(context, start + 1, LONG_PREFIXES) : 0;
  const inside = start + 1 + (course > 0 ? course : articleAt(context, start + 1));
  const isPart = prefix === "of" && PARTS.has(wordAt(context, start - 1));
  const afterPrefix = PREFIXES.has(prefix) && !isPart ? insideAt(context, inside, start, course > 0) : null;
  const relative = RELATIVE_PREFIXES.has(prefix) ? relativeAt(context, inside) : null;
  const duration = DURATION_PREFIXES.has(prefix) ? durationAt(context, start + 1, true) : null;
  return longest([
    lengthened(bare, start - at),
    lengthened(afterPrefix, inside - at),
    lengthened(relative, inside - at),
    lengthened(duration, start + 1 - at),
  ]);
}

/** After a prefix that stands at `start`. */
function insideAt(context: TimeContext, at: number, start: number, isCourse: boolean): TimePhrase | null {
  const isAfterArticle = !isCourse && at > start + 1;
  const recent = isAfterArticle ? recently(context, at) : null;
  const point = isCourse ? pointPhrase(context, at) : null;
  return recent ?? longest([point, ever(context, at), stretchAt(context, at)]);
}

function stretchAt(context: TimeContext, at: number): TimePhrase | null {
  const isPart = wordAt(context, at - 1) === "of" && PARTS.has(wordAt(context, at - 2));
  return isPart ? null : longest([relativeAt(context, at), durationAt(context, at, false), pointPhrase(context, at)]);
}

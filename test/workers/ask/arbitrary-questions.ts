/** Questions that nobody wrote: any text, words of the lexicon in any order, and real questions with words astray. */
import * as fc from "fast-check";

import { CONCEPT_WORDS } from "../../../src/core/ask/lexicon/concept-words.ts";
import { FRAME_WORDS } from "../../../src/core/ask/lexicon/frame-words.ts";
import { REFUSAL_WORDS } from "../../../src/core/ask/lexicon/refusal-words.ts";
import { asTyped, inQuotes, questionsAbout, type StoryQuestion } from "./story-questions.ts";
import { PLAIN_NAMES } from "./told-story.ts";

const MOST_CHARACTERS = 500;

const LEXICON = [...Object.values(CONCEPT_WORDS), ...Object.values(REFUSAL_WORDS)].flatMap((words) =>
  words.split(",").map((phrase) => phrase.replaceAll(/[!*]/g, "").trim()),
);
const NAMES = Object.values(PLAIN_NAMES).flat();
const TIMES =
  "today; yesterday; last week; in October; this month; since 2026-10-01; last 30 days; on Friday; in 2019; Q3 2026; next month; between 2026-09-25 and 2026-11-02; ever; within 14 days; week before".split(
    "; ",
  );
const SIGNS = [
  "?",
  "!",
  ",",
  ".",
  ";",
  ":",
  "-",
  "—",
  "'s",
  "'",
  '"',
  "“",
  "(",
  "%",
  "&",
  "#",
  "$",
  "1,000",
  "3",
  "-5",
  "0",
];

const word = fc.oneof(
  { arbitrary: fc.constantFrom(...LEXICON), weight: 6 },
  { arbitrary: fc.constantFrom(...FRAME_WORDS), weight: 3 },
  { arbitrary: fc.constantFrom(...NAMES), weight: 3 },
  { arbitrary: fc.constantFrom(...NAMES.map(inQuotes)), weight: 1 },
  { arbitrary: fc.constantFrom(...TIMES), weight: 2 },
  { arbitrary: fc.constantFrom(...SIGNS), weight: 1 },
  { arbitrary: fc.string({ unit: "grapheme", maxLength: 8 }), weight: 1 },
);
const words = fc.array(word, { minLength: 1, maxLength: 14 }).map((some) => some.join(" "));

const { told, judged } = questionsAbout(PLAIN_NAMES, asTyped);
/** A word left out, said twice, put elsewhere, or another one between. */
const astray = fc
  .record({
    question: fc.constantFrom(...[...told, ...judged].map(({ question }) => question)),
    from: fc.nat(12),
    to: fc.nat(12),
    removed: fc.nat(2),
    added: fc.array(word, { maxLength: 2 }),
  })
  .map(({ question, from, to, removed, added }) => {
    const kept = question.split(" ");
    const taken = kept.splice(from % kept.length, removed);
    kept.splice(to % (kept.length + 1), 0, ...added, ...taken.slice(0, 1));
    return kept.join(" ");
  });

const anyText = fc.oneof(
  fc.string({ unit: "binary", maxLength: MOST_CHARACTERS }),
  fc.string({ unit: "grapheme", maxLength: 80 }),
  fc.string({ unit: "grapheme-ascii", maxLength: MOST_CHARACTERS, size: "max" }),
);

const question = fc
  .oneof({ arbitrary: anyText, weight: 1 }, { arbitrary: words, weight: 3 }, { arbitrary: astray, weight: 4 })
  .map((text) => Array.from(text.trim()).slice(0, MOST_CHARACTERS).join("").trim())
  .filter((text) => text !== "");

const hint = (names: readonly string[]) => fc.option(fc.constantFrom(...names), { nil: undefined, freq: 2 });

export const arbitraryQuestion: fc.Arbitrary<StoryQuestion> = fc
  .record({
    question,
    hints: fc.oneof(
      { arbitrary: fc.constant({}), weight: 2 },
      {
        arbitrary: fc.record({
          accountId: hint([...PLAIN_NAMES.accounts.slice(0, 3), "nobody"]),
          userId: hint(PLAIN_NAMES.users),
          feature: hint(PLAIN_NAMES.events),
        }),
        weight: 1,
      },
    ),
  })
  .map(({ question: asked, hints }) => JSON.parse(JSON.stringify({ question: asked, ...hints })));

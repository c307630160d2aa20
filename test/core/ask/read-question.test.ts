/** A question in words, and the keys that its names are looked up by. */
import * as fc from "fast-check";
import { describe, expect, it } from "vitest";

import { lookUps, MAX_FUZZY_KEYS, MAX_KEYS } from "../../../src/core/ask/question/look-ups.ts";
import { readQuestion } from "../../../src/core/ask/question/read-question.ts";

const wordsOf = (text: string) => readQuestion(text).tokens.map(({ folded }) => folded);
const keysOf = (text: string) => lookUps(readQuestion(text));
const possessives = (text: string) =>
  readQuestion(text).tokens.flatMap(({ raw, possessive }) => (possessive ? [raw] : []));
const MAX_CHARACTERS = 500;

describe("§15.1 the words of a question", () => {
  it.each([
    ["How many events?", ["how", "many", "events"]],
    ["Ünïted's  MRR", ["united", "mrr"]],
    ["isn't it", ["is", "not", "it"]],
    ["can't, won't, shan't", ["can", "not", "will", "not", "shall", "not"]],
    ["I'd they've we're I'm", ["i", "they", "we", "i"]],
    ["they'll churn", ["they", "will", "churn"]],
    ["it’s the users’ plan", ["it", "the", "users", "plan"]],
    ["2 + 2 > 3 & 50%", ["2", "+", "2", ">", "3", "and", "50", "percent"]],
    ["top -3", ["top", "-", "3"]],
    ["at-risk", ["at", "risk"]],
    ["# of events, #42", ["number", "of", "events", "42"]],
    ["u.42 jo@acme.example", ["u", "42", "jo", "acme", "example"]],
    ["", []],
    ["?!…", []],
    ["日本 電気", ["日本", "電気"]],
  ])("§15.1 %j is %j", (text, words) => {
    expect(wordsOf(text)).toEqual(words);
  });

  it("§15.1 know whose they are", () => {
    expect(possessives("acme's and users' and \"Acme Corp\"'s and Jones’s plan")).toEqual([
      "acme",
      "users",
      "Corp",
      "Jones",
    ]);
    expect(possessives("acme 's its plan")).toEqual([]);
  });

  it.each([
    ['"a b" c', [0, 0, null]],
    ["“a b” c", [0, 0, null]],
    ["«a» «b»", [0, 1]],
    ["`a` 'b'", [0, 1]],
    ["don't 'a b' can't", [null, null, 0, 0, null, null]],
    ['"a b', [null, null]],
    [`"a"'s b' c`, [0, null, null]],
    [`"a"'s "it's" b`, [0, 1, null]],
  ])("§15.1 know the quotation that they stand in: %s", (text, quotes) => {
    expect(readQuestion(text).tokens.map(({ quote }) => quote)).toEqual(quotes);
  });

  it("§15.1 stand where the text has them", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary", maxLength: 80 }), (typed) => {
        const { text, tokens } = readQuestion(typed);
        for (const [at, { raw, start, end }] of tokens.entries()) {
          expect(text.slice(start, end)).toBe(raw);
          expect(start).toBeGreaterThanOrEqual(tokens[at - 1]?.end ?? 0);
        }
      }),
      { numRuns: 500 },
    );
  });

  it.each([
    ["How many events did 🚀 have?", "🚀"],
    ["How many events did acme ❤️ have?", "❤️"],
    ['Is "!!!" healthy?', "!!!"],
    ["Is “🚀” healthy?", "🚀"],
    ["Is ™ healthy?", "™"],
  ])("§15.1 are signs too that stand for themselves: %s", (text, sign) => {
    expect(wordsOf(text)).toContain(sign);
  });

  it.each(["How healthy is acme? 🙏", "- how healthy is acme", "* how healthy is acme", "how healthy is acme!!!"])(
    "§15.1 are no signs that end or divide: %s",
    (text) => {
      expect(wordsOf(text)).toEqual(["how", "healthy", "is", "acme"]);
    },
  );

  it("§15.1 are read of text that is no whole Unicode", () => {
    expect(wordsOf("acme\uD800 events \uDC00")).toEqual(["acme", "events", "\uFFFD"]);
    expect(readQuestion("\uD800").text.isWellFormed()).toBe(true);
  });
});

describe("§15.2 what is looked up for a question", () => {
  it("§15.2 is each id as it was typed", () => {
    expect(keysOf("How many events did acme-corp_2.eu have?").exact).toContain("acme-corp_2.eu");
    expect(keysOf("when was jo+x@acme.example last seen").exact).toContain("jo+x@acme.example");
    expect(keysOf("plan of org:17/eu").exact).toEqual(expect.arrayContaining(["org:17", "org:17/eu"]));
    expect(keysOf("events of #42 and C++").exact).toEqual(expect.arrayContaining(["#42", "C++"]));
  });

  it("§15.2 is a name with its possessive and without it", () => {
    expect(keysOf("What is McDonald's plan?").exact).toEqual(expect.arrayContaining(["McDonald", "McDonald's"]));
  });

  it("§15.2 is all that stands in a quotation, and no part of it", () => {
    const { exact, folded } = keysOf('events of "Acme, Corp. (EU)" last week');
    expect(exact[0]).toBe("Acme, Corp. (EU)");
    expect(folded).toContain("acme corp eu");
    expect(exact).not.toContain("Corp");
    expect(keysOf('events of "one two three four five six seven eight"').folded).toContain(
      "one two three four five six seven eight",
    );
  });

  it("§15.2 is what was done and to what, wherever the two stand", () => {
    expect(keysOf("How many reports did acme export?").spoken).toContain("export report");
    expect(keysOf("which accounts were exporting reports").spoken).toContain("export report");
    expect(keysOf('How many reports did "acme export" have').spoken).not.toContain("export report");
  });

  it("§15.2 is no misspelling of what has a digit, is short or is known", () => {
    const { fuzzy } = keysOf("How many events did glbex and acme2 and acm have?");
    expect(fuzzy).toContain("glbex");
    expect(fuzzy.filter((key) => /\d/.test(key) || key === "acm" || key === "events")).toEqual([]);
  });

  it("§15.2 has the likeliest names first", () => {
    const { folded } = keysOf('How many events did globex have in "quoted thing"?');
    expect(folded.indexOf("quoted thing")).toBe(0);
    expect(folded.indexOf("globex")).toBe(1);
  });

  it("§15.8 is bounded, whatever was typed", () => {
    const typed = fc.oneof(
      fc.string({ unit: "binary", maxLength: MAX_CHARACTERS }),
      fc
        .array(fc.constantFrom("acme", "did", '"', "x.y-z", "report", "'", ",", "(", "exported", "e2", "?"), {
          maxLength: 160,
        })
        .map((words) => words.join(" ").slice(0, MAX_CHARACTERS)),
    );
    fc.assert(
      fc.property(typed, (text) => {
        const { exact, folded, spoken, fuzzy } = keysOf(text);
        for (const keys of [exact, folded, spoken]) {
          expect(keys.length).toBeLessThanOrEqual(MAX_KEYS);
          expect(new Set(keys).size).toBe(keys.length);
          expect(keys).not.toContain("");
        }
        expect(fuzzy.length).toBeLessThanOrEqual(MAX_FUZZY_KEYS);
        expect(fuzzy.every((key) => key.length >= 5 && !/\p{N}/u.test(key))).toBe(true);
      }),
      { numRuns: 300 },
    );
  });

  it("§15.8 reaches its bounds with 500 characters of names", () => {
    const text = Array.from(
      { length: 71 },
      (_, at) => `name${String.fromCodePoint(97 + (at % 26), 97 + Math.floor(at / 26))}`,
    )
      .join(" ")
      .slice(0, MAX_CHARACTERS);
    const { exact, fuzzy } = keysOf(text);
    expect([exact.length, fuzzy.length]).toEqual([MAX_KEYS, MAX_FUZZY_KEYS]);
  });

  it("§15.2 is nothing of a question without words", () => {
    expect(keysOf("?!")).toEqual({ exact: [], folded: [], spoken: [], fuzzy: [] });
  });
});

/** Reads the follow-ups of `questions/follow-ups.jsonl`: `about` is the question before, `means` what each is restated as. */
import * as fc from "fast-check";
import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";

import { readQuestions } from "../../../../evals/ask/written/questions.ts";
import { vocabularyOf } from "../../../../evals/ask/written/vocabulary.ts";
import { writtenWorld } from "../../../../evals/ask/written/world.ts";
import { canonical, usesWindow } from "../../../../src/core/ask/query/canonical.ts";
import { checkQuery } from "../../../../src/core/ask/query/check.ts";
import type { Query } from "../../../../src/core/ask/query/model.ts";
import { restate } from "../../../../src/core/ask/query/restate.ts";
import { type Hints, type ReadResult, readQuestion } from "../../../../src/core/ask/reader/read-question.ts";

const vocabulary = vocabularyOf(writtenWorld());
const { dimensions } = vocabulary("");
const ask = (question: string, hints: Hints = {}): ReadResult => readQuestion(question, vocabulary(question), hints);
const say = (query: Query): string =>
  restate(query, { dimensions, nameOf: (type, name) => (type === "feature" ? name : null) });

function queryOf(question: string): Query {
  const result = ask(question);
  if (result.kind !== "query") throw new Error(`“${question}” has no query.`);
  return result.query;
}

type Row = { about: string; question: string } & ({ means: string[] } | { reason: string });
const rows = readFileSync("test/core/ask/reader/questions/follow-ups.jsonl", "utf8")
  .trim()
  .split("\n")
  .map((line): Row => JSON.parse(line));

/** The queries of the written questions, each once. */
const PREVIOUS = [
  ...new Map(
    readQuestions("evals/ask/written/development.jsonl")
      .flatMap(({ expect: label }) => ("queries" in label ? label.queries.slice(0, 1) : []))
      .filter((query) => checkQuery(query, dimensions).length === 0)
      .map((query) => [JSON.stringify(canonical(query)), canonical(query)]),
  ).values(),
];

const others = ({ where, of = [] }: Query, name: RegExp) =>
  new Set([...where, ...of].filter(({ dimension }) => !name.test(dimension)).map((each) => JSON.stringify(each)));
const rest = ({ where: _where, of: _of, window: _window, ...query }: Query) => query;
const untimed = ({ where }: Query) =>
  new Set(where.map(({ window: _window, within: _within, asOf: _asOf, is: _is, ...filter }) => JSON.stringify(filter)));

describe("§15.9 a follow-up", () => {
  it.each(rows.map((row) => [row.about, row.question, row] as const))("after “%s”: %s", (about, question, row) => {
    const { kind, ...result } = ask(question, { previous: queryOf(about) });
    const queries = "query" in result ? [result.query] : "options" in result ? (result.options ?? []) : [];
    const read = kind === "refusal" && "reason" in result ? { reason: result.reason } : { means: queries.map(say) };
    expect({ about, question, ...read }).toEqual(row);
  });

  it("proposes what it says alone", () => {
    expect(ask("And in amer?")).toMatchObject({
      reason: "needs_previous",
      nearest: { find: "accounts", where: [{ dimension: "account.region", is: "amer" }] },
    });
  });

  it("asks whether “they” are the account that was sent, or what was found before", () => {
    const result = ask("how healthy are they", {
      account: "papercrane",
      previous: queryOf("Which trials are silent?"),
    });
    expect(result).toMatchObject({ kind: "options", options: [{ measure: "score" }, { measure: "score" }] });
  });

  it("changes only the filter, the time or the measure that it says, or gives options, or is refused", () => {
    const filters = fc.constantFrom(
      ["and in amer?", "account.region", "amer"],
      ["what about the Team plan", "plan", "Team"],
      ["only the healthy ones", "health", "healthy"],
      ["and for Kestrel?", "account", "kestrel-analytics"],
    );
    const read = new Map<string, number>();
    const changed = (kind: string, question: string, previous: Query): Query | null => {
      const result = ask(question, { previous });
      if (result.kind !== "query") return null;
      expect(result.isFollowUp, question).toBe(true);
      read.set(kind, (read.get(kind) ?? 0) + 1);
      return canonical(result.query);
    };
    fc.assert(
      fc.property(fc.constantFrom(...PREVIOUS), filters, (previous, [question, dimension, is]) => {
        const query = changed("filter", question, previous);
        if (query === null) return;
        expect([...query.where, ...(query.of ?? [])]).toContainEqual(expect.objectContaining({ dimension, is }));
        expect(others(query, new RegExp(`^${dimension}$`))).toEqual(others(previous, new RegExp(`^${dimension}$`)));
        // One account is not listed: the value, or yes or no.
        const isOne = dimension === "account";
        expect(isOne ? {} : rest(query)).toEqual(isOne ? {} : rest(previous));
        expect(query.window).toEqual(previous.window);
      }),
      { numRuns: 1_500 },
    );
    fc.assert(
      fc.property(fc.constantFrom(...PREVIOUS), (previous) => {
        const query = changed("time", "and in October?", previous);
        if (query === null) return;
        expect(untimed(query)).toEqual(untimed(previous));
        expect(rest(query)).toEqual(rest(previous));
        expect(JSON.stringify(query)).toMatch(/2026-10-31|2027-10-31/);
      }),
      { numRuns: 400 },
    );
    fc.assert(
      fc.property(
        fc.constantFrom(...PREVIOUS.filter(({ show, per }) => show === "value" && per === undefined)),
        (previous) => {
          const query = changed("measure", "and the active users?", previous);
          if (query === null) return;
          expect(query).toEqual(canonical({ ...previous, measure: "active_users" }));
          expect(usesWindow(query)).toBe(true);
        },
      ),
      { numRuns: 200 },
    );
    for (const kind of ["filter", "time", "measure"]) expect(read.get(kind) ?? 0, kind).toBeGreaterThan(50);
  });
});

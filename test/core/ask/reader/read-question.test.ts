import * as fc from "fast-check";
import { describe, expect, it } from "vitest";

import { vocabularyOf } from "../../../../evals/ask/written/vocabulary.ts";
import { writtenWorld } from "../../../../evals/ask/written/world.ts";
import type { Query } from "../../../../src/core/ask/query/model.ts";
import { KIND_NAMES } from "../../../../src/core/inbox/kind-names.ts";
import { ITEM_KINDS } from "../../../../src/core/inbox/model.ts";
import { stemOf } from "../../../../src/core/ask/stem.ts";
import { LEXICON, STOP_WORDS } from "../../../../src/core/ask/reader/lexicon/lexicon.ts";
import { phraseGroupSchema } from "../../../../src/core/ask/reader/lexicon/phrase-group-schema.ts";
import { PHRASE_GROUPS } from "../../../../src/core/ask/reader/lexicon/phrase-groups.ts";
import { eventMentions, nameMentions, valueMentions } from "../../../../src/core/ask/reader/words/mentions.ts";
import { type ReadResult, readQuestion } from "../../../../src/core/ask/reader/read-question.ts";
import { MAX_READINGS, readingsOf } from "../../../../src/core/ask/reader/fragments/readings.ts";
import { rewrite } from "../../../../src/core/ask/reader/rules/rewrite.ts";
import { REWRITE_RULES } from "../../../../src/core/ask/reader/rules/rewrite-rules.ts";
import { understand } from "../../../../src/core/ask/reader/understand.ts";
import { correctWords } from "../../../../src/core/ask/reader/words/corrections.ts";
import { splitWords } from "../../../../src/core/ask/reader/words/split-words.ts";

const vocabulary = vocabularyOf(writtenWorld());
const ask = (question: string): ReadResult => readQuestion(question, vocabulary(question));
const queryOf = (question: string): Query | null => {
  const result = ask(question);
  return result.kind === "query" ? result.query : null;
};

describe("§15.1 §15.6 read", () => {
  it("gives no phrase of the lexicon one meaning twice", () => {
    for (const [phrase, meanings] of LEXICON)
      expect(new Set(meanings.map((each) => JSON.stringify(each))).size, phrase).toBe(meanings.length);
  });

  it.each(["who exported reports, with their counts", "accounts that export, with counts"])(
    "applies no rule to its own result: %s",
    (question) => {
      const asked = { text: question, typed: splitWords(question), vocabulary: vocabulary(question), hints: {} };
      const { known, words } = understand({ ...asked, work: { readings: 0, rules: 0 } });
      const lengths = known.map(({ fragments }) => rewrite(fragments, REWRITE_RULES, words).length);
      expect(Math.max(...lengths)).toBeLessThan(2 * words.length);
    },
  );

  it("asks the whole question with each meaning of an ambiguous name", () => {
    const window = { from: "2026-10-01", to: "2026-11-23" };
    expect(ask("what changed at brandt since October")).toMatchObject({
      reason: "ambiguous_subject",
      options: [
        { find: "accounts", show: "summary", where: [{ dimension: "account", is: "ida-brandt" }], window },
        { find: "users", show: "summary", where: [{ dimension: "user", is: "felix.brandt" }], window },
      ],
    });
    // Users have no reasons.
    expect(ask("why is brandt down")).toMatchObject({ options: [{ show: "why" }] });
  });

  it("has only phrases with valid meanings, of dimensions that exist", () => {
    for (const group of PHRASE_GROUPS)
      expect(phraseGroupSchema.safeParse(group), group.phrases[0]).toMatchObject({ success: true });
    const { dimensions } = vocabulary("");
    const known = new Set([
      ...dimensions.map(({ name }) => name),
      "renewal",
      "industry",
      "region",
      "role",
      "end",
      "champion",
    ]);
    for (const fragment of [...LEXICON.values()].flat(2)) {
      const filters =
        fragment.type === "filter" ? [fragment.filter] : fragment.type === "find" ? (fragment.where ?? []) : [];
      const names = [...filters, ...(fragment.type === "dimension" ? [fragment] : [])].map(
        ({ dimension }) => dimension,
      );
      for (const name of names) expect(known).toContain(name);
    }
  });

  it("proposes the closest name, and the question with it", () => {
    const question = "mrr of Halzyonics";
    const near = { type: "account", externalId: "halcyon-health", name: "Halcyon Health", isPersonal: false } as const;
    const names = [{ ...near, number: 1, id: "acc_1", from: 2, to: 3, matchedBy: "suggestion" as const }];
    expect(readQuestion(question, { ...vocabulary(question), names })).toMatchObject({
      reason: "no_such_subject",
      candidates: [near],
      nearest: { measure: "mrr", where: [{ dimension: "account", is: "halcyon-health" }] },
    });
  });

  it("proposes who was active instead of who logged in", () => {
    expect(ask("who logged in at Lumen yesterday")).toMatchObject({
      reason: "no_such_event",
      nearest: {
        find: "users",
        where: [
          { dimension: "active", is: true },
          { dimension: "account", is: "lumen-energy" },
        ],
      },
    });
  });

  it.each([
    "Any news from Halcyon?",
    "Which customers have good health?",
    "users that created forecasts",
    "dismissed alerts",
    "any chance you could list all trials",
  ])("answers %s", (question) => {
    expect(ask(question)).toMatchObject({ kind: "query" });
  });

  it("proposes the closest events, and the question with the only one", () => {
    expect(ask("which accounts imported data")).toMatchObject({
      reason: "no_such_event",
      events: ["data.source.synced"],
      nearest: { find: "accounts", where: [{ dimension: "event", is: "data.source.synced" }] },
    });
    expect(ask("who printed a report")).toMatchObject({ events: expect.arrayContaining(["report.exported"]) });
  });

  it("proposes the question without a time that has no data", () => {
    const nearest = { find: "accounts", measure: "mrr" };
    expect(ask("how did our MRR look in May")).toMatchObject({ kind: "refusal", nearest });
  });

  it.each(["mrr of Contoso", "NPS of Lumen"])("proposes no question close to %s", (question) => {
    expect(ask(question)).not.toHaveProperty("nearest");
    expect(ask(question)).not.toHaveProperty("proposals");
  });

  it('reads "this account" as the account that was sent with the question', () => {
    const question = "how many seats does this account have";
    expect(readQuestion(question, vocabulary(question), { account: "papercrane" })).toMatchObject({
      kind: "query",
      query: { measure: "seats", where: [{ dimension: "account", is: "papercrane" }] },
    });
  });

  it.each(ITEM_KINDS.flatMap((kind) => [KIND_NAMES[kind], kind.replaceAll("_", " ")].map((name) => [name, kind])))(
    "reads items by the name of their kind: %s items",
    (name, kind) => {
      const where = [{ dimension: "item_kind", is: kind }];
      expect(queryOf(`${name} items`)).toMatchObject({ find: "items", show: "list", where });
      expect(queryOf(`how many open ${name} alerts are there`)).toMatchObject({ find: "items", show: "count" });
    },
  );

  it.each([
    ["churn rate", "how many customers churned, or how much MRR was lost"],
    ["what is our gross churn this quarter", "how many customers churned, or how much MRR was lost"],
    ["net revenue retention", "how many customers churned, or how much MRR was lost"],
    ["trial conversion rate", "how many trials converted"],
    ["ARPU", "for the average MRR per account"],
    ["expansion MRR this month", "which accounts' MRR went up or down, or how MRR changed this month"],
    ["net new MRR", "which accounts' MRR went up or down, or how MRR changed this month"],
    ["upsell MRR", "which accounts' MRR went up or down, or how MRR changed this month"],
    ["our stickiness", "for daily or monthly active users"],
    ["NPS of Lumen", "about activity, health, plans, seats, MRR or traits"],
  ])("names what is recorded and comes closest: %s", (question, neighbor) => {
    const detail = expect.stringMatching(/isn't recorded; ask /);
    const result = ask(question);
    expect(result).toMatchObject({ kind: "refusal", reason: "unmeasured_attribute", detail });
    expect(result.kind === "refusal" && result.detail).toContain(`; ask ${neighbor}.`);
  });

  it.each([
    "how many customers churned",
    "how much MRR was lost",
    "how many trials converted",
    "average MRR per account",
    "which accounts' MRR went up",
    "which accounts' MRR went down",
    "how MRR changed this month",
    "daily active users",
    "monthly active users",
  ])("answers what it names instead of what isn't recorded: %s", (question) => {
    expect(queryOf(question)).not.toBeNull();
  });

  it("notes which name it used for a misspelled one, but not for a part of a name", () => {
    expect(ask("Lumne plan")).toMatchObject({ notes: [{ asked: "Lumne", candidate: { externalId: "lumen-energy" } }] });
    expect(ask("Lumen plan")).toMatchObject({ kind: "query", notes: [] });
  });

  it("notes which word it used for a misspelled one, but not for another form of a word", () => {
    expect(ask("acounts at risk")).toMatchObject({ notes: [{ kind: "word", asked: "acounts", meant: "accounts" }] });
    expect(ask("events this mth")).toMatchObject({ kind: "query", notes: [] });
  });

  it("takes no form of a known word for another word", () => {
    const known = [...LEXICON.keys()].filter((phrase) => /^[a-z]{5,}$/.test(phrase));
    const forms = known.flatMap((word) => ["s", "ed", "ing"].map((ending) => word + ending));
    const wrong = forms.flatMap((form) => {
      const [, meant] = correctWords(splitWords(`who ${form} today`), [], vocabulary(form));
      const isOther = meant !== undefined && stemOf(meant.folded) !== stemOf(form);
      return isOther && known.some((word) => stemOf(form) === word) ? [`${form}: ${meant.folded}`] : [];
    });
    expect(wrong).toEqual([]);
    for (const question of ["who hasn't been contacted", "customers we contacted this month"])
      expect(ask(question), question).toMatchObject({ reason: "unmeasured_attribute" });
  });

  it("takes no state for granted that the answer tells", () => {
    expect(queryOf("is Kestrel red, amber or green?")).toEqual({
      find: "accounts",
      show: "value",
      where: [{ dimension: "account", is: "kestrel-analytics" }],
      measure: "health",
    });
  });

  it("offers both readings of a name that is an ordinary word", () => {
    const world = writtenWorld();
    const named = vocabularyOf({ ...world, accounts: [...world.accounts, { externalId: "trials", name: null }] });
    const question = "trials in emea";
    expect(readQuestion(question, named(question))).toMatchObject({ kind: "options" });
  });

  it("reads a quoted phrase as a whole, even if one of its words is the name of an industry", () => {
    const world = writtenWorld();
    const named = vocabularyOf({ ...world, values: new Map([...world.values, ["account.industry", ["Feature"]]]) });
    const question = 'accounts with a "feature no longer used" notice';
    expect(readQuestion(question, named(question))).toMatchObject({
      kind: "query",
      query: { where: [{ dimension: "item_kind", is: "feature_dropped" }] },
    });
  });

  it('reads "these two" as the names before it', () => {
    const where = [{ dimension: "account", in: ["mosaic-clinics", "tidepool-labs"] }];
    expect(queryOf("Mosaic Clinics and Tidepool Labs, MRR of these two")).toEqual({
      find: "accounts",
      show: "list",
      where,
      measure: "mrr",
    });
    expect(queryOf("MRR of these two")).toBeNull();
  });

  it("offers rankings by MRR, events and score, if a question doesn't say what it ranks by", () => {
    const result = ask("top 10 customers and their plan");
    const customers = { find: "accounts", show: "list", where: [{ dimension: "stage", is: "active" }], limit: 10 };
    expect(result.kind === "options" && result.options).toEqual(
      ["mrr", "events", "score"].map((measure) => ({ ...customers, measure, with: ["plan"] })),
    );
  });

  it('reads the name of a trait after "whose", even if an event has it too', () => {
    const names = writtenWorld();
    const values = new Map([...names.values, ["user.invitedOn", ["2026-10-01"]]] as const);
    const question = "please number of users whose invited is on 18 october 2026 per plan";
    const result = readQuestion(
      question,
      vocabularyOf({ ...names, events: [...names.events, "invite_sent"], values })(question),
    );
    expect(result).toMatchObject({ kind: "query", query: { where: [{ dimension: "user.invitedOn" }] } });
  });

  it("counts events even if a trait is called event", () => {
    const names = writtenWorld();
    const values = new Map([...names.values, ["account.event", ["x"]]] as const);
    const question = "how many events last week";
    const named = vocabularyOf({ ...names, values })(question);
    expect(readQuestion(question, named)).toMatchObject({ kind: "query", query: { find: "events", show: "value" } });
  });

  it("tries a bounded number of readings of any text", () => {
    const words = [
      ...LEXICON.keys(),
      ...STOP_WORDS,
      "Team",
      "Business",
      "emea",
      "halcyon",
      "brandt",
      "energy",
      "forecast",
      "7",
      "last 30 days",
    ];
    fc.assert(
      fc.property(fc.array(fc.constantFrom(...words), { minLength: 5, maxLength: 120 }), (chosen) => {
        const text = chosen.join(" ").slice(0, 500);
        const { names, dimensions, events, today } = vocabulary(text);
        const cut = splitWords(text);
        const mentions = [
          ...nameMentions(cut, names),
          ...valueMentions(cut, dimensions),
          ...eventMentions(cut, events),
        ];
        expect(readingsOf(cut, mentions, dimensions, today).length).toBeLessThanOrEqual(MAX_READINGS);
        ask(text);
      }),
      { numRuns: 300 },
    );
  });
});

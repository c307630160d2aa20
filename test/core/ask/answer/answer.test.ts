import * as fc from "fast-check";
import { describe, expect, it } from "vitest";

import { answerFor } from "../../../../src/core/ask/answer/answer.ts";
import type { Answer, Facts, Plan } from "../../../../src/core/ask/model.ts";
import { FAULTY_WORDS, firstDay, HOSTILE_NAMES, anyName, planWithFacts } from "./arbitraries.ts";
import {
  ACME,
  account,
  accountFacts,
  ask,
  asked,
  crowd,
  EXPORTED,
  featureFacts,
  feature,
  FRESH,
  gist,
  health,
  LAST_28,
  portfolioFacts,
  TODAY,
  use,
  user,
  userFacts,
  W,
  CLOCK,
} from "./support.ts";

const window = LAST_28;
const of = { subject: "account", account: ACME } as const;
const isSilent = (plan: Plan, facts: Facts) => gist(ask(plan, facts, { isBehind: true }))[0] === "stale_data";
const events = accountFacts({ uses: [use({ events: 5 }), use()] });

describe("§15.2 a name that was not met exactly", () => {
  const plan = { ...of, measure: "event_count", window } as const;

  const taken = [{ said: "acmee", meant: "acme" }];

  it("§15.2 is disclosed, and makes an answer less sure", () => {
    expect(answerFor({ ...asked(plan), taken }, events, FRESH, CLOCK)).toMatchObject({
      answer: `Taking "acmee" for "acme". "acme" had 5 events ${W}.`,
      confidence: "medium",
    });
  });

  it("§15.2 may be any of several, and is called by its name", () => {
    const several = [...taken, { said: 'Beta 7 "x', meant: "Beta 8" }];
    expect(gist(answerFor({ ...asked(plan), taken: several }, events, FRESH, CLOCK))[0]).toBe(
      `Taking "acmee" for "acme" and "Beta 7 "x" for "Beta 8". "acme" had 5 events ${W}.`,
    );
  });
});

describe("§15.2 the name of an answer", () => {
  it("§15.2 is the one that the question is restated with", () => {
    const plan: Plan = { subject: "account", account: account("acct_17", "Acme Inc"), measure: "event_count", window };
    const answer = (restated: string) => gist(answerFor(asked(plan, { restated }), events, FRESH, CLOCK))[0];
    expect(answer(`Events of "Acme Inc"`)).toBe(`"Acme Inc" had 5 events ${W}.`);
    expect(answer(`Events of "acct_17"`)).toBe(`"acct_17" had 5 events ${W}.`);
  });

  it.each(HOSTILE_NAMES)("§15.2 stands as it was sent, whatever it says: %s", (name) => {
    const plan: Plan = { subject: "account", account: account(name), measure: "event_count", window };
    expect(gist(ask(plan, events))).toEqual([`"${name}" had 5 events ${W}.`, 5]);
    const list: Plan = { subject: "feature", feature: feature(name), measure: "accounts", window };
    const facts = featureFacts([{ accounts: [{ account: account(name, "42 events"), events: 1 }] }]);
    const shown = name === "42 events" ? `"42 events"` : `"42 events" ("${name}")`;
    expect(gist(ask(list, facts))[0]).toBe(`1 account used "${name}" ${W}: ${shown} (1 event).`);
  });
});

describe("§15.7 messages that are not counted yet", () => {
  it("§15.7 keep what counts them from being answered", () => {
    expect(ask({ ...of, measure: "event_count", window }, events, { isBehind: true })).toEqual({
      knows: false,
      reason: "stale_data",
      detail: "More messages have arrived than are counted yet. Ask again in a few minutes.",
      interpretation: asked({ ...of, measure: "event_count", window }).interpretation,
      window: { ...window, defaulted: false },
    });
    expect(isSilent({ ...of, measure: "last_seen" }, events)).toBe(true);
    expect(isSilent({ ...of, measure: "compare_accounts", metric: "events", other: ACME, window }, events)).toBe(true);
    expect(isSilent({ subject: "user", user: user("u"), measure: "first_seen" }, userFacts())).toBe(true);
    expect(
      isSilent({ subject: "feature", feature: EXPORTED, measure: "account_count", window }, featureFacts([{}])),
    ).toBe(true);
    expect(isSilent({ subject: "portfolio", measure: "new_accounts", window }, portfolioFacts())).toBe(true);
    expect(isSilent({ subject: "portfolio", measure: "top", by: "activity", limit: 5, window }, portfolioFacts())).toBe(
      true,
    );
  });

  it("§15.7 make no difference to what an account is", () => {
    const facts = accountFacts({ attributes: [{ plan: "pro" }, {}], health: [health(), health()] });
    expect(isSilent({ ...of, measure: "plan" }, facts)).toBe(false);
    expect(isSilent({ ...of, measure: "health" }, facts)).toBe(false);
    expect(isSilent({ ...of, measure: "compare_accounts", metric: "health", other: ACME, window }, facts)).toBe(false);
    expect(isSilent({ subject: "user", user: user("u"), measure: "account" }, userFacts())).toBe(false);
    expect(isSilent({ subject: "portfolio", measure: "top", by: "seats", limit: 5 }, portfolioFacts())).toBe(false);
    expect(isSilent({ subject: "portfolio", measure: "account_count", filter: {} }, portfolioFacts())).toBe(false);
  });
});

describe("§15.5 the window of an answer", () => {
  it("§15.5 is none where two accounts are compared by what they are", () => {
    const facts = accountFacts({ attributes: [{ seats: 1 }, { seats: 2 }] });
    const plan = { ...of, measure: "compare_accounts", metric: "seats", other: account("beta"), window } as const;
    expect(ask(plan, facts).window).toBeNull();
    expect(ask({ ...of, measure: "event_count", window }, events).window).toMatchObject({
      from: TODAY - 27,
      to: TODAY,
    });
  });
});

describe("§15.5 facts that are not the plan's", () => {
  it("§15.5 are a fault", () => {
    const plan = { ...of, measure: "event_count", window } as const;
    expect(() => ask(plan, userFacts())).toThrow("facts of a user for a plan of a account");
    expect(() => ask(plan, accountFacts())).toThrow("the facts of a plan lack number 0");
  });
});

/** Any plan's answer, with names met exactly or not, by a young or an old workspace. */
const answers = planWithFacts.chain(({ plan, facts }) =>
  fc
    .record({
      taken: fc.array(fc.record({ said: anyName, meant: fc.constantFrom("acme", "Beta 8") }), {
        maxLength: 3,
      }),
      recordedFrom: firstDay,
    })
    .map(({ taken, recordedFrom }) => ({
      plan,
      answer: answerFor({ ...asked(plan), taken }, facts, { ...FRESH, firstDay: recordedFrom }, CLOCK),
    })),
);

function holds(check: (answer: Answer, plan: Plan) => void): void {
  fc.assert(
    fc.property(answers, ({ answer, plan }) => {
      check(answer, plan);
    }),
    { numRuns: 1_500 },
  );
}

const namesIn = (plan: Plan): string[] =>
  plan.subject === "account" ? [plan.account.externalId, plan.account.name ?? plan.account.externalId] : [""];

const answerAbout = (name: string): string => {
  const facts = accountFacts({ uses: [use({ users: crowd(12) })] });
  return String(
    gist(ask({ subject: "account", account: account(name), measure: "active_user_list", window }, facts))[0],
  );
};

/** What an answer may say beside what was asked for. */
const NOTES = [
  /^Taking ".*" for "acme"\. /su,
  /^Taking ".*" for "acme" and ".*" for "/su,
  / No event was recorded before /,
  / That is [\d,]+ days? against [\d,]+\./,
  /, when recording began\./,
  /: this alone would take off /,
  / What caps the score, or was not measured then, (?:adds|takes off) /,
  / \(the last full day, as no time was given\)/,
  / days ago\.$/,
  / in no known stage/,
  / with an MRR (?:is|are) not counted\./,
  / such a date (?:is|are) not on trial\./,
  / not been judged yet\./,
  /^No \p{L}/u,
];

describe("§15.6 every answer", () => {
  it("§15.6 is tried with whatever it may say beside", () => {
    const tried = fc.sample(answers, { numRuns: 4_000, seed: 15 });
    const told = tried.flatMap(({ answer }) => (answer.knows ? [answer.answer] : []));
    expect(NOTES.filter((note) => !told.some((says) => note.test(says)))).toEqual([]);
  });

  it("§15.6 stands on its evidence, whatever the names and the figures are", () => {
    holds((answer) => {
      expect(answer.knows ? "" : answer.reason).not.toBe("internal_check");
    });
  });

  it("§15.6 is in sentences, and says who it is about", () => {
    holds((answer, plan) => {
      const [says] = answer.knows ? [answer.answer] : [answer.detail];
      expect(says).toMatch(/^\S[^]*[.?]$/u);
      expect(says).not.toMatch(FAULTY_WORDS);
      expect(namesIn(plan).some((name) => !answer.knows || says.includes(name))).toBe(true);
    });
  });

  it("§15.8 has a bounded value, and evidence with ids of its own", () => {
    holds((answer) => {
      const rows = answer.knows && Array.isArray(answer.value) ? answer.value : [];
      const ids = answer.knows ? answer.evidence.map(({ id }) => id) : ["e1"];
      expect(rows.length).toBeLessThanOrEqual(100);
      expect(new Set(ids).size).toBe(ids.length);
      expect(ids.length).toBeGreaterThan(0);
    });
  });
});

describe("§15.2 another name", () => {
  it("§15.2 changes an answer only by the name", () => {
    fc.assert(
      fc.property(fc.string({ minLength: 1, unit: "binary" }), (name) => {
        expect(answerAbout(name)).toBe(answerAbout("acme").split(`"acme"`).join(`"${name}"`));
      }),
    );
  });
});

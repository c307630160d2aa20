/** §15.4: questions whose words each mean something, and that ask for something else than those words are answered by. */
import { describe, expect, it } from "vitest";

import { FRAME_WORDS } from "../../../src/core/ask/lexicon/frame-words.ts";
import { account, ACME, EXPORTED, namesOf, planOf, understoodFrom, WORLD } from "./world.ts";

const SILENT: Readonly<Record<string, readonly string[]>> = {
  "of what is yet to be": [
    "Which accounts are about to churn?",
    "Who is about to churn?",
    "How many accounts are about to churn?",
    "Is acme about to churn?",
    "Which accounts are about to be at risk?",
    "Which accounts are about to stop using report.exported?",
    "Which accounts are about to use report.exported?",
    "Is acme about to use report.exported?",
    "Is acme about to grow?",
    "Who is about to be on Pro?",
    "Is acme going to be at risk?",
    "How is acme going to do?",
    "Is acme's health going to drop?",
    "Is acme going to grow?",
    "Is acme looking to grow?",
    "Is report.exported going to grow?",
    "Is Maria Lopez going to be more active?",
    "Which accounts would be at risk?",
    "How many accounts would be churned?",
    "Is acme to churn?",
    "Which accounts are to be lost?",
  ],
  "of what may be done": [
    "How much MRR could we get from acme?",
    "How many seats can we give acme?",
    "What plan could we give acme?",
    "Can anyone at acme use report.exported?",
    "Which accounts can we help?",
    "Which accounts can we look into?",
    "Which customers would you like?",
    "Does acme have to use report.exported?",
    "Did acme try to export?",
    "How many customers do we need?",
    "How many customers do we want?",
  ],
  "of what is said of accounts and people": [
    "Which accounts stand still?",
    "Which accounts stand out?",
    "Which accounts are correct?",
    "Which accounts are right?",
    "Which accounts are out?",
    "Which accounts are in?",
    "Which accounts are mine?",
    "Which accounts appreciate it?",
    "Which accounts question us?",
    "Which accounts have a question?",
    "Which accounts thank us?",
    "Which accounts that thank us are healthy?",
    "Which healthy accounts stand out?",
    "Which accounts do not thank us?",
    "How many customers thank us?",
    "How many accounts are ok?",
    "Which accounts are okay?",
    "How many customers have we kept?",
    "Which accounts called us?",
    "Which accounts reported?",
    "Which accounts are rated?",
    "Which accounts are still with us?",
    "Which accounts do we still have?",
    "Which accounts got healthy?",
    "Does acme use report.exported well?",
    "What is up with acme?",
    "How many users called last month?",
    "How many users were kept last month?",
    "How many users were reported last month?",
    "Who was shown report.exported?",
    "How many accounts need attention?",
    "How many customers are in the inbox?",
  ],
  "of what is right": [
    "Is acme on the right plan?",
    "Which plan would be right for acme?",
    "Is acme's MRR correct?",
    "Is acme's health score right?",
  ],
  "that small words turn": [
    "Which accounts are out of Pro?",
    "Is acme out of Pro?",
    "Is acme out of seats?",
    "How many events did acme have to 5 October?",
    "How many events did acme have about 5 October?",
    "How many events did acme have into October?",
    "How many events did acme have out of October?",
    "How many events were sent to acme last week?",
    "When did acme last log in?",
    "How many times more events did acme have in October than in September?",
  ],
  "of what is left": [
    "How many accounts are left?",
    "How many customers do we have left?",
    "How many customers do we still have left?",
    "Who is left?",
  ],
  "of what became": [
    "How many accounts converted?",
    "How many accounts have converted?",
    "Which accounts have paid?",
    "Has acme paid?",
  ],
  "of how it was": [
    "How many accounts have been on trial?",
    "Which accounts were on trial?",
    "How many seats did acme have?",
    "What was acme's MRR?",
    "What was our MRR?",
    "Which accounts were on Pro?",
    "What stage was acme in?",
    "What plan did acme have?",
    "Which account was Maria Lopez in?",
  ],
  "of who did more, and how many": [
    "Which users at acme were more active this week than last week?",
    "Who at acme was more active this week than last week?",
    "How many used report.exported?",
    "How many have used report.exported?",
    "How many at acme use report.exported?",
    "How many events of report.unexported did acme have?",
    "Who did acme send messages to?",
  ],
  "of some alone": [
    "Which features do the top 5 accounts use?",
    "Which features do our biggest customers use?",
    "Top features by number of users",
    "What is the total MRR of paying customers?",
    "How much MRR was booked?",
    "What is the total MRR of the top 5 accounts?",
    "Do all accounts use report.exported?",
  ],
  "of another subject": [
    "Who created accounts?",
    "Who created customers last week?",
    "Who works with Maria Lopez?",
    "Who does Maria Lopez work with?",
  ],
  "of how it moves": [
    "What did acme drop?",
    "Is acme growing less?",
    "Is the growth of acme growing?",
    "Which features does acme not ignore?",
    "Which features has acme yet to use?",
  ],
  "with yes or no, or how long": [
    "Does acme pay monthly?",
    "How long did acme's trial last?",
    "How long ago did acme's trial end?",
    "Is acme pending?",
  ],
};

describe.each(Object.entries(SILENT))("§15.4 nothing is told %s", (_, questions) => {
  it.each(questions)("§15.4 %s", (question) => {
    expect(planOf(question)).toEqual(expect.any(String));
  });
});

describe("§15.2 a name of signs", () => {
  const named = ["🚀", "acme 🚀", "!!!", "acme ❤️", "™"];
  const accounts = new Map(named.map((name) => [name, account(name)]));
  const world = { ...WORLD, names: [...WORLD.names, ...[...accounts.values()].flatMap((of) => namesOf(of))] };

  it.each(["🚀", '"🚀"', "acme 🚀", "account acme 🚀", '"!!!"', "acme ❤️", "™"])("§15.2 is found: %s", (said) => {
    const plan = planOf(`How many events did ${said} have last week?`, { world });
    expect(plan).toMatchObject({ account: accounts.get(said.replaceAll('"', "").replace("account ", "")) });
  });

  it.each(["💩", '"💩"', "§", "acme 💩", "~"])("§15.2 is not passed over where nobody has it: %s", (said) => {
    expect(planOf(`How many events did ${said} have last week?`, { world })).toEqual(expect.any(String));
  });
});

describe("§15.4 beside a question", () => {
  const hints = { account: ACME, feature: EXPORTED };

  it.each(["Do they use it more?", "Are they using it less?", "How widely do they use it?"])(
    "§15.4 they and it are both meant: %s",
    (question) => {
      const understood = understoodFrom(question, { hints });
      expect(understood.ok && understood.plan.subject === "feature").toBe(false);
    },
  );

  it("§15.4 what is ours is not the account's", () => {
    const understood = understoodFrom("What is our total MRR?", { hints });
    expect(understood.ok && understood.plan.subject).toBe("portfolio");
  });
});

/** What may be said behind accounts without saying anything of them. */
const SAYS_NOTHING =
  /^(?:.*\b(?:please|pls|plz|plase|pleas|kindly|thx|thanks|thank you|cheers|hi|hey|hello|morning|btw|by the way|asap|urgently|um|uh|hm|hmm)\b.*)$/;

describe("§15.4 a word that says nothing elsewhere", () => {
  const verbs = FRAME_WORDS.filter((word) => !SAYS_NOTHING.test(word));
  const asked = ["Which accounts @ us?", "Which accounts are @?", "How many customers were @?"];

  it("§15.4 says nothing of accounts either, but for those that were looked at", () => {
    const answered = asked.map((question) =>
      verbs.filter((word) => typeof planOf(question.replace("@", word)) !== "string"),
    );
    expect([...new Set(answered.flat())].toSorted()).toMatchInlineSnapshot(`
      [
        "a",
        "a quick",
        "according to our data",
        "according to the data",
        "according to your data",
        "actually",
        "also",
        "am",
        "an",
        "any",
        "are",
        "as far as you know",
        "as well",
        "at all",
        "based on the data",
        "basically",
        "be",
        "been",
        "being",
        "can u",
        "could u",
        "currently have",
        "d",
        "did",
        "do",
        "do we have",
        "do we know",
        "do you happen to know",
        "do you have",
        "do you know",
        "does",
        "exactly",
        "find",
        "for",
        "for me",
        "for us",
        "from what you know",
        "got",
        "has",
        "have",
        "have we got",
        "have you got",
        "having",
        "i d like",
        "i just",
        "i need",
        "i want",
        "i would",
        "if",
        "in fact",
        "in particular",
        "in the data",
        "is",
        "is it correct that",
        "is it right that",
        "is it the case that",
        "is it true that",
        "isnt it",
        "it is",
        "it would be",
        "just asking",
        "just checking",
        "just curious",
        "just need",
        "just show",
        "just tell",
        "just to",
        "just want",
        "just wondering",
        "known",
        "let me know",
        "listed",
        "ll",
        "namely",
        "of ours",
        "on file",
        "on record",
        "one more",
        "one more thing",
        "ones",
        "our",
        "ours",
        "out there",
        "possibly",
        "quick one",
        "quick q",
        "quickly",
        "really",
        "recorded",
        "registered for",
        "roughly",
        "s",
        "should i say",
        "show",
        "simply",
        "specifically",
        "stored",
        "that",
        "the",
        "there",
        "there been",
        "there been any",
        "to",
        "to find out",
        "to have",
        "to know",
        "to me",
        "to see",
        "to understand",
        "to us",
        "us",
        "ve",
        "we",
        "we got",
        "we have",
        "we need",
        "we want",
        "we would",
        "what",
        "what about",
        "whether",
        "which",
        "which of the two",
        "which of them",
        "which one",
        "would be",
        "would u",
        "yes or no",
      ]
    `);
  });
});

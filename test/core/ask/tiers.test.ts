/** Which of several names is meant: the most exact, and none where two are as exact. */
import { describe, expect, it } from "vitest";

import type { Entity, Hints } from "../../../src/core/ask/model.ts";
import {
  account,
  ACME,
  ACME_CORP,
  days,
  EXPORTED,
  feature,
  FRIDAY,
  MARCH,
  MARIA,
  namesOf,
  planOf,
  understoodFrom,
  user,
  VIEWED,
  type World,
} from "./world.ts";

const worldOf = (...entities: Entity[]): World => ({ names: entities.flatMap((of) => namesOf(of)), plans: [] });

/** Who a question is about and how that was told; else why it is not answered. */
function told(question: string, world?: World, hints?: Hints): string {
  const understood = understoodFrom(question, { ...(world && { world }), ...(hints && { hints }) });
  if (!understood.ok) return understood.refusal.reason;
  const { subject } = understood.interpretation;
  return `${subject?.externalId} by ${subject?.matchedBy}`;
}
const eventsOf = (name: string) => `How many events did ${name} have?`;

describe("§15.2 a name in a question", () => {
  it.each([
    ["acme", "acme by external_id"],
    ["ACME", "acme by folded"],
    ["Acme Corp", "org-17 by name"],
    ["acme corp", "org-17 by folded"],
    ["Acme-Corp.", "org-17 by folded"],
    ["org-17", "org-17 by external_id"],
    ["Org 17", "org-17 by folded"],
    [ACME.id, "acme by internal_id"],
    ["maria@acme.example", "u1 by name"],
    ["Maria Lopez", "u1 by name"],
    ["María López", "u1 by folded"],
    ["u.42", "u.42 by external_id"],
    ['"Globex GmbH"', "globex by name"],
    ["umbrella's users", "unresolved_words"],
    ["Umbrela", "umbrella by fuzzy"],
    ["umbrlela", "umbrella by fuzzy"],
    ["Maria Lopes", "u1 by fuzzy"],
    ["maira lopes", "u1 by fuzzy"],
    ["umbrlelo", "no_such_subject"],
    ["org-18", "no_such_subject"],
    ["user u.43", "no_such_subject"],
    ["acne", "no_such_subject"],
  ])("§15.2 as %s is %s", (name, expected) => {
    expect(told(eventsOf(name))).toBe(expected);
  });

  it.each([
    ["did acme use report.exported?", EXPORTED],
    ["did acme use Report.Exported?", EXPORTED],
    ["did acme export reports?", EXPORTED],
    ["has acme been viewing dashboards?", VIEWED],
    ["did acme use dashbaord.viewed?", VIEWED],
  ])("§15.2 of an event is found however it is said: %s", (question, expected) => {
    expect(planOf(question)).toMatchObject({ measure: "uses_feature", feature: expected });
  });

  it("§15.2 that is longer comes before one within it", () => {
    const world = worldOf(account("acme"), account("a2", "Acme Corp"), account("a3", "Acme Corp Europe"));
    expect(told(eventsOf("acme corp europe"), world)).toBe("a3 by folded");
    expect(told(eventsOf("acme corp"), world)).toBe("a2 by folded");
    expect(told(eventsOf("acme"), world)).toBe("acme by external_id");
    expect(told(eventsOf("Acme Corp Asia"), world)).toBe("no_such_subject");
    expect(told(eventsOf("Acme Asia"), world)).toBe("no_such_subject");
  });
});

describe("§15.2 of two names the more exact one is meant", () => {
  it("§15.2 exact before folded", () => {
    const world = worldOf(account("beta"), account("x1", "Beta"));
    expect(told(eventsOf("beta"), world)).toBe("beta by external_id");
    expect(told(eventsOf("Beta"), world)).toBe("x1 by name");
    expect(told(eventsOf("BETA"), world)).toBe("ambiguous_subject");
  });

  it("§15.2 an id before a name", () => {
    const world = worldOf(account("beta"), account("x1", "beta"));
    expect(told(eventsOf("beta"), world)).toBe("beta by external_id");
  });

  it("§15.2 folded before spoken", () => {
    const exact = feature("reports export");
    const spoken = feature("report.exported");
    const world = worldOf(account("acme"), exact, spoken);
    expect(planOf("did acme use Reports-Export?", { world })).toMatchObject({ feature: exact });
    expect(planOf("did acme use report.exported?", { world })).toMatchObject({ feature: spoken });
    expect(planOf("did acme use exporting reports?", { world })).toBe("ambiguous_subject");
  });

  it("§15.2 any of them before a misspelt one", () => {
    const world = worldOf(account("northwind"), account("x1", "Northwine"));
    expect(told(eventsOf("northwine"), world)).toBe("x1 by folded");
    expect(told(eventsOf("northwind"), world)).toBe("northwind by external_id");
  });
});

describe("§15.2 two that are as exact", () => {
  it("§15.2 are both told, and neither is answered for", () => {
    const [one, other] = [account("t1", "Twin"), account("t2", "Twin")];
    const understood = understoodFrom(eventsOf("Twin"), { world: worldOf(one, other) });
    expect(understood).toMatchObject({ ok: false, refusal: { reason: "ambiguous_subject", candidates: [one, other] } });
  });

  it("§15.2 may be an account and a user, unless it is said which or only one can be meant", () => {
    const world = worldOf(account("beta"), user("beta"));
    expect(told(eventsOf("beta"), world)).toBe("ambiguous_subject");
    expect(told(eventsOf("account beta"), world)).toBe("beta by external_id");
    expect(planOf(eventsOf("account beta"), { world })).toMatchObject({ subject: "account" });
    expect(planOf(eventsOf("user beta"), { world })).toMatchObject({ subject: "user" });
    expect(planOf("How many seats does beta have?", { world })).toMatchObject({ subject: "account" });
    expect(planOf("Which account is beta in?", { world })).toMatchObject({ subject: "user" });
  });

  it("§15.8 are ten at most", () => {
    const many = Array.from({ length: 14 }, (_, at) => account(`t${at}`, "Twin"));
    const understood = understoodFrom(eventsOf("Twin"), { world: worldOf(...many) });
    expect(understood.ok ? [] : understood.refusal.candidates).toEqual(many.slice(0, 10));
  });
});

describe("§15.2 a misspelt name", () => {
  it("§15.2 must be nearer to one than to any other", () => {
    expect(told(eventsOf("globes"), worldOf(account("globex"), account("globey")))).toBe("no_such_subject");
    expect(told(eventsOf("globess"), worldOf(account("globesse"), account("globexx")))).toBe("globesse by fuzzy");
    expect(told(eventsOf("northwinds"), worldOf(account("northwind"), account("northwindy")))).toBe("no_such_subject");
  });

  it.each([
    ["four letters", "acne", account("acme")],
    ["a digit in the question", "globex2", account("globex")],
    ["a digit in the name", "globexx", account("globex7")],
    ["a digit in both", "team-12", account("team-13")],
    ["two edits in eight letters", "umbrlelo", account("umbrella")],
    ["three edits in nine", "northwyyy", account("northwind")],
  ])("§15.2 is no other name: %s", (_, said, known) => {
    expect(told(eventsOf(said), worldOf(known))).toBe("no_such_subject");
  });

  it("§15.2 of an event is no other event", () => {
    const world = worldOf(account("acme"), feature("report.exported"));
    expect(told("did acme use report.imported?", world)).toBe("no_such_event");
    expect(told("did acme use report.expored?", world)).toBe("acme by external_id");
  });

  it("§15.2 is told with what it was taken for", () => {
    expect(understoodFrom("did umbrela use dashbaord.viewed?")).toMatchObject({
      ok: true,
      taken: [
        { said: "umbrela", meant: "umbrella" },
        { said: "dashbaord.viewed", meant: "dashboard.viewed" },
      ],
      interpretation: { subject: { matchedBy: "fuzzy" } },
    });
    expect(understoodFrom("did umbrella use dashboard.viewed?")).toMatchObject({ ok: true, taken: [] });
  });
});

describe("§15.2 what stands in quotation marks", () => {
  const odd = account("x9", "Drop (all) tables; -- of last week?");

  it("§15.2 is a name whatever it says", () => {
    expect(told(eventsOf(`"${odd.name}"`), worldOf(odd))).toBe("x9 by name");
    expect(told(eventsOf('"last week"'), worldOf(account("last week")))).toBe("last week by external_id");
    expect(told(eventsOf('"how many events"'), worldOf(account("how many events")))).toBe(
      "how many events by external_id",
    );
    expect(told(eventsOf("«Acme Corp»"))).toBe("org-17 by name");
    expect(told(eventsOf("'Acme Corp'"))).toBe("org-17 by name");
    expect(told(eventsOf('"acme" last week'))).toBe("acme by external_id");
  });

  it("§15.2 is all of it or none", () => {
    expect(told(eventsOf('"acme and globex"'))).toBe("no_such_subject");
    expect(told(eventsOf('"last week"'))).toBe("no_such_subject");
    expect(told(eventsOf('"acme last week"'))).toBe("no_such_subject");
  });
});

describe("§15.2 names that are words", () => {
  const activeMinds = account("am", "Active Minds");
  const world = worldOf(
    activeMinds,
    account("health"),
    account("May"),
    account("Trial"),
    account("acme"),
    account("Growth"),
  );

  it.each([
    ["How is health doing?", "health by external_id"],
    ["What is the health of health?", "health by external_id"],
    ["What is the health of acme?", "acme by external_id"],
    ["How many events did May have in May?", "May by external_id"],
    ["Is May at risk?", "May by external_id"],
    ["May I see the events of acme?", "acme by external_id"],
    ["When does Trial's trial end?", "Trial by external_id"],
    ["When does acme's trial end?", "acme by external_id"],
    ["How many active users does Active Minds have?", "am by name"],
    ["How many active users does acme have?", "acme by external_id"],
    ["Growth growth", "Growth by external_id"],
    ["acme growth", "acme by external_id"],
  ])("§15.2 are told from the words: %s", (question, expected) => {
    expect(told(question, world)).toBe(expected);
  });

  it("§15.2 are told from days and months", () => {
    expect(planOf("How many events did March Networks have in March?")).toMatchObject({
      account: MARCH,
      measure: "event_count",
    });
    expect(planOf("How many events did March Networks have last week?")).toMatchObject({ account: MARCH });
    expect(planOf("When was Friday last seen?")).toMatchObject({ account: FRIDAY, measure: "last_seen" });
    expect(planOf("How many events did Friday have on Friday?")).toMatchObject({
      account: FRIDAY,
      window: days(-1, -1),
    });
    expect(planOf("How many events did acme have on Friday?")).toMatchObject({ account: ACME, window: days(-1, -1) });
    expect(told("How many events did March have?")).not.toMatch(/^mn-3/);
  });

  it("§15.2 are read both ways where the rest of the name is one too", () => {
    const nimbus = worldOf(account("nimbus", "Nimbus Health"), account("acme"));
    expect(told("How is Nimbus Health doing?", nimbus)).toBe("nimbus by name");
    expect(told("nimbus health", nimbus)).toMatch(/^nimbus by /);
    expect(planOf("did Nimbus Health drop?", { world: nimbus })).toMatchObject({ measure: "trend" });
    expect(told("did nimbus health drop?", nimbus)).toBe("unresolved_words");
  });

  it("§15.2 keep a portfolio question from none of its words", () => {
    expect(planOf("Which accounts are active this week?", { world })).toMatchObject({ measure: "active_account_list" });
    expect(planOf("top accounts by growth", { world })).toMatchObject({ by: "growth" });
    expect(planOf("How many accounts are on trial?", { world })).toMatchObject({ filter: { stage: "trial" } });
  });
});

describe("§15.1 what was said beside the question", () => {
  const hints = { account: ACME_CORP, user: MARIA, feature: VIEWED };

  it.each([
    ["How is this account doing?", { account: ACME_CORP }, "health"],
    ["What plan are they on?", { account: ACME_CORP }, "plan"],
    ["What is its MRR?", { account: ACME_CORP }, "mrr"],
    ["How many seats does the customer have?", { account: ACME_CORP }, "seats"],
    ["When was she last seen?", { user: MARIA }, "last_seen"],
    ["How many events did this user have last week?", { user: MARIA }, "event_count"],
    ["Who used it last week?", { feature: VIEWED }, "users"],
    ["How is this feature trending?", { feature: VIEWED }, "trend"],
  ])("§15.1 is what a pointing word stands for: %s", (question, hint, measure) => {
    expect(planOf(question, { hints: hint })).toMatchObject({ ...hint, measure });
    expect(planOf(question)).toBe("no_such_subject");
  });

  it("§15.1 is told to be what a question was matched by", () => {
    expect(told("How is this account doing?", undefined, hints)).toBe("org-17 by hint");
  });

  it("§15.1 gives way to who is named", () => {
    expect(told("How is acme doing?", undefined, hints)).toBe("acme by external_id");
    expect(planOf("When was Jonas Weber last seen?", { hints })).toMatchObject({
      subject: "user",
      measure: "last_seen",
    });
  });

  it("§15.1 is not meant where two of it may be", () => {
    expect(told("When were they last seen?", undefined, hints)).toBe("ambiguous_subject");
    expect(told("When were they last seen?", undefined, { account: ACME_CORP })).toBe("org-17 by hint");
  });

  it("§15.1 leaves questions about all accounts what they are", () => {
    expect(planOf("Which accounts are at risk?", { hints })).toMatchObject({ measure: "at_risk" });
  });
});

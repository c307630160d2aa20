/** Plans, facts and what is asked, each as plain as can be: a test says what matters to it. */
import { answerFor } from "../../../../src/core/ask/answer/answer.ts";
import type {
  AccountUse,
  Answer,
  AskWindow,
  Entity,
  Facts,
  FeatureUse,
  Freshness,
  Interpretation,
  NamedItem,
  Plan,
  PortfolioAccount,
  SubjectType,
  Understood,
} from "../../../../src/core/ask/model.ts";
import type { Health } from "../../../../src/core/health/model.ts";
import type { InboxItem } from "../../../../src/core/inbox/model.ts";

export const DAY_MS = 86_400_000;
/** 2026-11-21. */
export const TODAY = 20_778;
/** Noon of it. */
export const NOW = TODAY * DAY_MS + DAY_MS / 2;
export const CLOCK = { now: NOW, today: TODAY };
export const YESTERDAY = TODAY - 1;
export const END_OF_YESTERDAY = TODAY * DAY_MS;

export const LAST_28: AskWindow = { from: TODAY - 27, to: TODAY, phrase: "last 28 days" };
export const BEFORE_28: AskWindow = { from: TODAY - 55, to: TODAY - 28, phrase: "before" };
export const DEFAULT_28: AskWindow = { ...LAST_28, phrase: null };
/** The last 28 days, and the 28 before, in words. */
export const W = "from 25 Oct to 21 Nov 2026";
export const BEFORE_DATES = "27 Sep to 24 Oct 2026";
export const B = `from ${BEFORE_DATES}`;
/** What a default window says of itself. */
export const DISCLOSED = "(the last 28 days, as no time was given)";

export const FRESH: Freshness = {
  lastEventAt: NOW,
  lastRecomputeAt: NOW,
  firstDay: TODAY - 400,
  isBehind: false,
};

export const entity = (type: SubjectType, externalId: string, name: string | null = null): Entity => ({
  type,
  number: 1,
  id: type === "feature" ? externalId : `${type}:${externalId}`,
  externalId,
  name,
});
export const account = (externalId: string, name: string | null = null) => entity("account", externalId, name);
export const user = (externalId: string, name: string | null = null) => entity("user", externalId, name);
export const feature = (name: string) => entity("feature", name);

export const ACME = account("acme");
export const EXPORTED = feature("report.exported");

export const accountFacts = (
  facts: Partial<Omit<Extract<Facts, { subject: "account" }>, "subject">> = {},
): Extract<Facts, { subject: "account" }> => ({
  subject: "account",
  uses: [],
  attributes: [],
  health: [],
  items: [],
  lastEventAt: null,
  firstSeenAt: (TODAY - 300) * DAY_MS,
  knownFeatures: [],
  traits: [],
  ...facts,
});

export const userFacts = (
  facts: Partial<Omit<Extract<Facts, { subject: "user" }>, "subject">> = {},
): Extract<Facts, { subject: "user" }> => ({
  subject: "user",
  uses: [],
  account: null,
  lastEventAt: null,
  firstDay: TODAY - 300,
  traits: [],
  ...facts,
});

export const featureFacts = (uses: readonly Partial<FeatureUse>[], activeAccounts = 0): Facts => ({
  subject: "feature",
  uses: uses.map((use) => ({ events: 0, accounts: [], users: [], ...use })),
  activeAccounts,
});

export const portfolioFacts = (
  facts: Partial<Omit<Extract<Facts, { subject: "portfolio" }>, "subject">> = {},
): Facts => ({
  subject: "portfolio",
  accounts: [],
  items: [],
  features: [],
  activeUsers: 0,
  ...facts,
});

export const use = (values: Partial<AccountUse> = {}): AccountUse => ({
  events: 0,
  activeDays: 0,
  users: [],
  features: [],
  ...values,
});

/** So many users with an event. */
export const crowd = (count: number): AccountUse["users"] =>
  Array.from({ length: count }, (_, index) => ({ user: user(`u${index + 1}`), days: count - index, lastDay: TODAY }));

export const health = (values: Partial<Health> = {}): Health => ({
  day: YESTERDAY,
  state: "healthy",
  band: "healthy",
  score: 73.25,
  uncapped: 73.25,
  coverage: 1,
  confidence: "high",
  losses: [],
  modelVersion: 1,
  trend: null,
  stage: "active",
  stageKnown: true,
  reasons: [],
  changes: [],
  missing: [],
  ...values,
});

export const row = (externalId: string, values: Partial<PortfolioAccount> = {}): PortfolioAccount => ({
  account: account(externalId),
  attributes: {},
  health: null,
  lastEventAt: null,
  firstSeenAt: (TODAY - 300) * DAY_MS,
  events: [],
  userDays: [],
  ...values,
});

export const item = (id: string, values: Partial<InboxItem> = {}, about: Partial<NamedItem> = {}): NamedItem => ({
  id,
  account: ACME,
  subjectName: null,
  item: {
    kind: "usage_drop",
    subject: "",
    occurrence: 1,
    openedDay: TODAY - 5,
    confirmedDay: YESTERDAY,
    resolvedDay: null,
    resolution: null,
    severity: "medium",
    confidence: "high",
    rank: 1,
    dueAt: null,
    evidence: [],
    ...values,
  },
  ...about,
});

type Asked = Extract<Understood, { ok: true }>;

/** A plan as a question would have come to it. */
export function asked(plan: Plan, more: Partial<Interpretation> = {}): Asked {
  const subject = plan.subject === "portfolio" ? null : subjectOf(plan);
  return {
    ok: true,
    plan,
    interpretation: {
      intent: "state",
      measure: plan.measure,
      subject: subject === null ? null : { ...subject, matchedBy: "external_id" },
      restated: `The ${plan.measure} of "${subject?.externalId ?? "all"}"`,
      ...more,
    },
    window: "window" in plan ? { ...plan.window, defaulted: plan.window.phrase === null } : null,
    taken: [],
  };
}

function subjectOf(plan: Exclude<Plan, { subject: "portfolio" }>) {
  const found = plan.subject === "account" ? plan.account : plan.subject === "user" ? plan.user : plan.feature;
  const { id, externalId, name } = found;
  return { type: plan.subject, id, externalId, ...(name !== null && { name }) };
}

export const ask = (plan: Plan, facts: Facts, freshness: Partial<Freshness> = {}): Answer =>
  answerFor(asked(plan), facts, { ...FRESH, ...freshness }, CLOCK);

/** The sentence and the value; of what is not known the reason and the detail. */
export function gist(answer: Answer): readonly unknown[] {
  return answer.knows ? [answer.answer, answer.value] : [answer.reason, answer.detail];
}

/** `measure: value` of the evidence. */
export const evidenceOf = (answer: Answer): string[] =>
  answer.knows ? answer.evidence.map(({ measure, value }) => `${measure}: ${value}`) : [];

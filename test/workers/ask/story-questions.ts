/** Questions about a story: about every subject, and of nearly every measure there is. */
import type { StoryNames } from "./story.ts";
import { at, EVENTS, USERS } from "./story.ts";

export interface StoryQuestion {
  question: string;
  accountId?: string;
  userId?: string;
  feature?: string;
}

export interface StoryQuestions {
  /** What is answered from events and attributes alone. */
  told: StoryQuestion[];
  /** What only the recompute knows. */
  judged: StoryQuestion[];
}

/** How a name is written in a question. */
export type Written = (name: string) => string;

const QUOTATION_MARKS = [`""`, "“”", "«»", "``"] as const;

/** Between such quotation marks as the name does not have itself. */
export function inQuotes(name: string): string {
  const marks = QUOTATION_MARKS.find((pair) => !Array.from(pair).some((mark) => name.includes(mark))) ?? `""`;
  return `${marks.slice(0, 1)}${name}${marks.slice(1)}`;
}

export const asTyped: Written = (name) => name;

export function questionsAbout(names: StoryNames, written: Written): StoryQuestions {
  const [a, b] = [written(at(names.accounts, 0)), written(at(names.accounts, 1))];
  const [u, loner] = [written(at(names.users, 0)), written(at(names.users, USERS - 1))];
  const [f, g] = [written(at(names.events, 0)), written(at(names.events, EVENTS - 1))];
  const p = written(at(names.plans, 1));
  const told = [
    `What plan is ${a} on?`,
    `How many seats does ${a} have?`,
    `What is the MRR of ${a}?`,
    `What stage is ${a} in?`,
    `When does the trial of ${a} end?`,
    `How many days are left in the trial of ${a}?`,
    `Since when is ${a} a customer?`,
    `When was ${b} last seen?`,
    `What is the industry of ${a}?`,
    `How many events did ${a} have in the last 30 days?`,
    `How many times did ${b} use ${f} in October?`,
    `How many active users did ${a} have last month?`,
    `How many users at ${a} used ${f} this month?`,
    `On how many days was ${b} active in the last 3 weeks?`,
    `Who was active at ${a} in October?`,
    `How many of its seats did ${a} use in the last 40 days?`,
    `Which features did ${a} use since 2026-10-05?`,
    `Which features did ${b} not use last week?`,
    `How many features did ${a} use this quarter?`,
    `Did ${a} use ${g} yesterday?`,
    `What is the usage trend of ${a}?`,
    `How many events did ${a} have this week compared with last week?`,
    `Did ${a} or ${b} have more events last month?`,
    `Does ${a} or ${b} have more seats?`,
    `When was ${u} last seen?`,
    `When was ${u} first seen?`,
    `Which account does ${u} belong to?`,
    `What is the role of ${u}?`,
    `How many events did ${u} have this month?`,
    `How many times did ${u} use ${f} in the last 50 days?`,
    `On how many days was ${u} active in October?`,
    `Which features did ${u} use last month?`,
    `Did ${u} use ${g} last week?`,
    `What is the usage trend of ${u}?`,
    `How many events did user ${loner} have in October?`,
    `How many events did account ${loner} have in October?`,
    `Which accounts used ${f} in the last 14 days?`,
    `Which users used ${g} last week?`,
    `How many accounts used ${f} in October?`,
    `How many users used ${f} today?`,
    `What share of accounts used ${f} this month?`,
    `Which accounts stopped using ${f}?`,
    `How many times was ${g} used between 2026-10-01 and 2026-11-10?`,
    `What is the usage trend of ${f}?`,
    "How many accounts do we have?",
    "How many accounts are on trial?",
    `Which accounts are on the ${p} plan?`,
    "Which accounts have been silent for 10 days?",
    "Which accounts are new in the last 60 days?",
    "Which 3 accounts were the most active this month?",
    "Which 3 accounts grew the most in the last 3 weeks?",
    "Which 3 accounts declined the most in the last 3 weeks?",
    "Which 3 accounts have the highest MRR?",
    "Which 2 accounts have the most seats?",
    "What is our MRR by currency?",
    "What is our total MRR?",
    "Which trials end within 14 days?",
    "What are the 3 most used features in October?",
    "How many accounts were active last week?",
    "Which accounts were active today?",
    "How many active users did we have in the last 45 days?",
    "How many events did we have yesterday?",
  ];
  const judged = [
    `How healthy is ${a}?`,
    `Why is ${b} at risk?`,
    `What changed at ${b}?`,
    `Is ${a} healthier than ${b}?`,
    `What are the open inbox items for ${b}?`,
    "Which accounts are at risk and why?",
    "How many accounts are healthy?",
    "Which accounts are on watch?",
    "What is in the inbox?",
  ];
  return { told: told.map(alone), judged: judged.map(alone) };
}

const alone = (question: string): StoryQuestion => ({ question });

/** With the names beside the question. */
export function questionsWithHints(names: StoryNames): StoryQuestion[] {
  const [accountId, userId, feature] = [at(names.accounts, 0), at(names.users, 0), at(names.events, 0)];
  return [
    ...[
      "How healthy is this account?",
      "What changed at this account?",
      "What plan are they on?",
      "What is their industry?",
      "How many events did this account have last month?",
      "Who was active at this account this month?",
      "Which features did they not use in October?",
      "Since when is this account a customer?",
    ].map((question) => ({ question, accountId })),
    { question: "How many times did this account use it last month?", accountId, feature },
    { question: "How many events did this user have in October?", userId },
    { question: "Which account does this user belong to?", userId },
    { question: "Which features did they use this month?", userId },
    { question: "Which accounts use it?", feature },
    { question: "What share of accounts used this feature in October?", feature },
    { question: "Which accounts are at risk and why?" },
    { question: "Which 3 accounts were the most active this month?" },
    { question: "What are the 3 most used features?" },
    { question: "What is in the inbox?" },
  ];
}

/** Questions to begin with, about what the workspace has. */
import type { ExampleSubject } from "../../services/ask/reads.ts";

export function exampleQuestions(subject: ExampleSubject): string[] {
  const { account, isJudged, feature } = subject;
  const name = quotable(account.externalId) ?? account.id;
  const event = feature === null ? null : quotable(feature);
  return [
    ...(isJudged ? [`How healthy is ${name}?`, "Which accounts are at risk?"] : []),
    `When was ${name} last seen?`,
    `How many active users did ${name} have in the last 7 days?`,
    ...(event === null ? [] : [`Which accounts use ${event}?`, `Did ${name} use ${event} this week?`]),
    "Top 5 accounts by activity in the last 30 days",
  ];
}

/** Between quotation marks words are nothing but a name; a name with such marks in it cannot be put so. */
const quotable = (name: string): string | null => (/["“”„«»]/.test(name) ? null : `"${name}"`);

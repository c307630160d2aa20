/** Example questions about an account of the workspace. */
import type { ExampleSubject } from "../../services/ask/example-subject.ts";

export function exampleQuestions(subject: ExampleSubject): string[] {
  const { account, isJudged, feature } = subject;
  const name = quote(account.externalId) ?? account.id;
  const event = feature === null ? null : quote(feature);
  return [
    ...(isJudged ? [`How healthy is ${name}?`, "Which accounts are at risk?"] : []),
    `When was ${name} last seen?`,
    `How many active users did ${name} have in the last 7 days?`,
    ...(event === null ? [] : [`Which accounts use ${event}?`, `Did ${name} use ${event} this week?`]),
    "Top 5 accounts by activity in the last 30 days",
  ];
}

/** Quotes a name, so that its words are not read as part of the question; `null` if it contains quotation marks. */
const quote = (name: string): string | null => (/["“”„«»]/.test(name) ? null : `"${name}"`);

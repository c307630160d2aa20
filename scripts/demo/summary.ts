/** Builds the text that the demo prints at its end: the results, and commands to paste into bash. */
import type { Sent } from "./fill.ts";
import { QUESTIONS, type Results } from "./read-results.ts";

interface Summary {
  url: string;
  /** Signs in to the console; null where links can't. */
  link: string | null;
  key: string;
  sent: Sent;
  results: Results;
}

export function summary({ url, link, key, sent, results }: Summary): string {
  return `
Messages: ${count(sent.stored)} stored, ${count(sent.duplicates)} already stored, ${count(sent.rejected)} rejected${sent.rejected > 0 ? " (deliberate mistakes)" : ""}.
Accounts: ${count(results.accounts)} (${list(results.states)}).
Open inbox items: ${list(results.kinds)}.

${results.answers.map(({ question, answer }) => `  ${question}\n  ${answer.replaceAll("\n", " ")}`).join("\n\n")}

Open the console (${link === null ? "sign in with your ADMIN_TOKEN" : "this link signs you in for one hour"}):

  ${link ?? `${url}/console`}

Read accounts and ask questions with this key:

  KEY=${key}
  curl "${url}/api/v1/accounts?state=at_risk" -H "Authorization: Bearer $KEY"
  curl ${url}/api/v1/ask -H "Authorization: Bearer $KEY" -H 'Content-Type: application/json' \\
    -d '{"question":"${QUESTIONS[1]}"}'
`;
}

export const count = (value: number): string => value.toLocaleString("en");

const list = (counts: ReadonlyMap<string, number>): string =>
  [...counts]
    .toSorted(([, one], [, other]) => other - one)
    .map(([name, number]) => `${number} ${name.replaceAll("_", " ")}`)
    .join(", ");

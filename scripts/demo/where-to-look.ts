/** What the demo prints in the end: what there is, and commands to paste into bash. */
import type { Filled } from "./fill.ts";
import { QUESTIONS, type Seen } from "./look.ts";

export interface Outcome {
  url: string;
  /** Signs in to the console; `null` where none does. */
  link: string | null;
  key: string;
  filled: Filled;
  seen: Seen;
}

export function whereToLook({ url, link, key, filled, seen }: Outcome): string {
  return `
${count(filled.stored)} messages stored, ${count(filled.duplicates)} known before, ${count(filled.rejected)} rejected${filled.rejected > 0 ? " for their mistakes" : ""}.
${count(seen.accounts)} accounts: ${listed(seen.states)}.
Open in the inbox: ${listed(seen.kinds)}.

${seen.answers.map(({ question, answer }) => `  ${question}\n  ${answer.replaceAll("\n", " ")}`).join("\n\n")}

${link === null ? `Console, which you sign in to with ADMIN_TOKEN: ${url}/console` : `Console: ${link}`}

With a key that may read and ask:

  KEY=${key}
  curl "${url}/api/v1/accounts?state=at_risk" -H "Authorization: Bearer $KEY"
  curl ${url}/api/v1/ask -H "Authorization: Bearer $KEY" -H 'Content-Type: application/json' \\
    -d '{"question":"${QUESTIONS[1]}"}'
`;
}

export const count = (value: number): string => value.toLocaleString("en");

const listed = (counts: ReadonlyMap<string, number>): string =>
  [...counts]
    .toSorted(([, one], [, other]) => other - one)
    .map(([what, many]) => `${many} ${what}`)
    .join(", ");

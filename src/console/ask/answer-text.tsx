/** The text of an answer: a sentence, then a line for each row. */
import type { FC } from "hono/jsx";

import type { Query } from "../../core/ask/query/model.ts";
import { truncate } from "../components/truncate.ts";
import { accountPath } from "./account-links.tsx";
import { isAboutAccounts, type AnswerRow } from "./answer-tables.tsx";

/** The table repeats long lists in full. */
const MAX_LINES_CHARACTERS = 5_000;
const MAX_SENTENCE_CHARACTERS = 1_000;
const BULLET = /^- /;

interface AnswerTextProps {
  workspace: { id: string };
  query: Query;
  answer: string;
  rows: readonly AnswerRow[];
}

export const AnswerText: FC<AnswerTextProps> = ({ workspace, query, answer, rows }) => {
  const [sentence = "", ...lines] = answer.split("\n");
  const linked = isAboutAccounts(query) ? rows : [];
  return (
    <>
      <p class="answer-text">{truncate(sentence, MAX_SENTENCE_CHARACTERS)}</p>
      {lines.length > 0 && (
        <ul class="answer-lines">
          {truncate(lines.join("\n"), MAX_LINES_CHARACTERS)
            .split("\n")
            .map((line, index) => (
              <li class={BULLET.test(line) ? undefined : "answer-part"}>
                <Line {...{ workspace }} text={line.replace(BULLET, "")} rows={linked.slice(index).concat(linked)} />
              </li>
            ))}
        </ul>
      )}
    </>
  );
};

/** What can follow the name in a line of a list. */
const AFTER_NAME = /^(?:$|: | \(churned\))/;

const nameOf = ({ externalId, name = externalId }: AnswerRow): string => String(name);

/**
 * A line that begins with the name of an account links to it.
 * @param rows its own row first. In rankings by currency, rows without a line stand between those with one
 */
const Line: FC<{ workspace: { id: string }; text: string; rows: readonly AnswerRow[] }> = ({
  workspace,
  text,
  rows,
}) => {
  const row = rows.find((each) => text.startsWith(nameOf(each)) && AFTER_NAME.test(text.slice(nameOf(each).length)));
  const path = row === undefined ? null : accountPath(workspace, String(row["externalId"]));
  if (row === undefined || path === null) return <>{text}</>;
  const name = nameOf(row);
  const rest = text.slice(name.length);
  return (
    <>
      <a href={path}>{name}</a>
      {rest}
    </>
  );
};

/** The text of an answer: a sentence, then a line for each row. */
import type { FC } from "hono/jsx";

import type { Query } from "../../core/ask/query/model.ts";
import { truncate } from "../components/truncate.ts";
import { accountPath } from "./account-links.tsx";
import { isAboutAccounts, type Row } from "./answer-tables.tsx";

/** The table repeats long lists in full. */
const MAX_LINES_CHARACTERS = 5_000;
const MAX_SENTENCE_CHARACTERS = 1_000;
const BULLET = /^- /;

interface AnswerTextProps {
  workspace: { id: string };
  query: Query;
  answer: string;
  rows: readonly Row[];
}

export const AnswerText: FC<AnswerTextProps> = ({ workspace, query, answer, rows }) => {
  const [sentence = "", ...lines] = answer.split("\n");
  return (
    <>
      <p class="answer-text">{truncate(sentence, MAX_SENTENCE_CHARACTERS)}</p>
      {lines.length > 0 && (
        <ul class="answer-lines">
          {truncate(lines.join("\n"), MAX_LINES_CHARACTERS)
            .split("\n")
            .map((line, index) => (
              <li class={BULLET.test(line) ? undefined : "answer-part"}>
                <Line
                  {...{ workspace }}
                  text={line.replace(BULLET, "")}
                  row={isAboutAccounts(query) ? rows[index] : undefined}
                />
              </li>
            ))}
        </ul>
      )}
    </>
  );
};

/** What can follow the name in a line of a list. */
const AFTER_NAME = /^(?:$|: | \(churned\))/;

/** A line that begins with the name of its row's account links to that account. */
const Line: FC<{ workspace: { id: string }; text: string; row: Row | undefined }> = ({ workspace, text, row }) => {
  const { externalId, name = externalId } = row ?? {};
  if (typeof externalId !== "string" || typeof name !== "string" || !text.startsWith(name)) return <>{text}</>;
  const rest = text.slice(name.length);
  const path = accountPath(workspace, externalId);
  if (path === null || !AFTER_NAME.test(rest)) return <>{text}</>;
  return (
    <>
      <a href={path}>{name}</a>
      {rest}
    </>
  );
};

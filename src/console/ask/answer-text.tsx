/** The text of an answer: a sentence, then its lines. */
import type { FC } from "hono/jsx";

import { truncate } from "../components/truncate.ts";

const MAX_LINES_CHARACTERS = 5_000;
const MAX_SENTENCE_CHARACTERS = 1_000;
const BULLET = /^- /;

/** Whether the answer lists rows below its sentence. */
export const isList = (answer: string): boolean => answer.includes("\n- ");

/** @param withLines false if a table or a chart shows what the lines say */
export const AnswerText: FC<{ answer: string; withLines: boolean }> = ({ answer, withLines }) => {
  const [sentence = "", ...lines] = answer.split("\n");
  return (
    <>
      <p class="answer-text">{truncate(sentence, MAX_SENTENCE_CHARACTERS)}</p>
      {withLines && lines.length > 0 && (
        <ul class="answer-lines">
          {truncate(lines.join("\n"), MAX_LINES_CHARACTERS)
            .split("\n")
            .map((line) => (
              <li class={BULLET.test(line) ? undefined : "answer-part"}>{line.replace(BULLET, "")}</li>
            ))}
        </ul>
      )}
    </>
  );
};

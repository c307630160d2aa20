/** An answer, large, with as what it was understood and everything that it stands on; or why there is none. */
import type { FC } from "hono/jsx";

import type { Answer } from "../../core/ask/model.ts";
import type { AnsweredQuestion } from "../../services/ask/answer-question.ts";
import { Badge } from "../components/elements.tsx";
import { shortened } from "../components/truncate.ts";
import { accountLinks } from "./account-links.ts";
import { EvidenceTable, RowsTable } from "./answer-tables.tsx";
import { AskLink } from "./ask-link.tsx";
import { REASON_NAMES } from "./ask-words.ts";
import { Subject } from "./subject.tsx";
import { UnderstoodCard } from "./understood-card.tsx";

interface AnswerProps {
  workspace: { id: string };
  answered: AnsweredQuestion;
  now: number;
}

export const AnswerView: FC<AnswerProps> = ({ workspace, answered: { answer, freshness }, now }) => {
  const { interpretation, window } = answer;
  const links = accountLinks(workspace, answer);
  return (
    <>
      {answer.knows ? <Known answer={answer} /> : <Unknown {...{ workspace, answer }} />}
      {interpretation !== null && <UnderstoodCard {...{ workspace, interpretation, window, freshness, now }} />}
      {answer.knows && Array.isArray(answer.value) && answer.value.length > 0 && (
        <RowsTable {...{ links }} rows={answer.value} />
      )}
      {answer.knows && <EvidenceTable {...{ links }} evidence={answer.evidence} />}
    </>
  );
};

/** A longer answer is a list, and reads better in the page's own size. */
const MAX_LARGE_CHARS = 200;
/** The rows below say all of a list again. */
const MAX_ANSWER_CHARACTERS = 6_000;

const Known: FC<{ answer: Extract<Answer, { knows: true }> }> = ({ answer: { answer, confidence } }) => (
  <section class="card answer" aria-label="Answer">
    <p class={answer.length > MAX_LARGE_CHARS ? "answer-text long" : "answer-text"}>
      {shortened(answer, MAX_ANSWER_CHARACTERS)}
    </p>
    {confidence === "medium" && (
      <p>
        <Badge tone="watch">Medium confidence</Badge> Something in it is uncertain: check how it was understood.
      </p>
    )}
  </section>
);

interface UnknownProps {
  workspace: { id: string };
  answer: Extract<Answer, { knows: false }>;
}

const Unknown: FC<UnknownProps> = ({ workspace, answer: { reason, detail, nearestAnswerable, candidates } }) => (
  <section class="card answer" aria-label="No answer">
    <h2>{REASON_NAMES[reason]}</h2>
    <p>{detail}</p>
    {nearestAnswerable !== undefined && (
      <p>
        This can be answered: <AskLink {...{ workspace }} question={nearestAnswerable} />
      </p>
    )}
    {candidates !== undefined && candidates.length > 0 && (
      <>
        <p>One of these may be meant:</p>
        <ul>
          {candidates.map((subject) => (
            <li>
              {subject.type} <Subject {...{ workspace, subject }} />
            </li>
          ))}
        </ul>
      </>
    )}
  </section>
);

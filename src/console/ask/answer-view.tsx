/** An answer with everything it is based on, or the reason for not answering. */
import type { FC } from "hono/jsx";

import type { Answer } from "../../core/ask/model.ts";
import type { AnsweredQuestion } from "../../services/ask/answer-question.ts";
import { Badge } from "../components/elements.tsx";
import { truncate } from "../components/truncate.ts";
import { accountLinks } from "./account-links.ts";
import { REFUSAL_TITLES } from "./answer-labels.ts";
import { EvidenceTable, ResultTable } from "./answer-tables.tsx";
import { AskLink } from "./ask-link.tsx";
import { InterpretationCard } from "./interpretation-card.tsx";
import { Subject } from "./subject.tsx";

interface AnswerProps {
  workspace: { id: string };
  answered: AnsweredQuestion;
}

export const AnswerView: FC<AnswerProps> = ({ workspace, answered: { answer, freshness } }) => {
  const { interpretation, window } = answer;
  const links = accountLinks(workspace, answer);
  return (
    <>
      {answer.knows ? <AnswerCard answer={answer} /> : <RefusalCard {...{ workspace, answer }} />}
      {interpretation !== null && <InterpretationCard {...{ workspace, interpretation, window, freshness }} />}
      {answer.knows && Array.isArray(answer.value) && answer.value.length > 0 && (
        <ResultTable {...{ links }} rows={answer.value} />
      )}
      {answer.knows && <EvidenceTable {...{ links }} evidence={answer.evidence} />}
    </>
  );
};

/** Longer answers are lists, which read better in the normal font size. */
const MAX_LARGE_CHARACTERS = 200;
/** The table of results repeats a list in full. */
const MAX_ANSWER_CHARACTERS = 6_000;

const AnswerCard: FC<{ answer: Extract<Answer, { knows: true }> }> = ({ answer: { answer, confidence } }) => (
  <section class="card answer" aria-label="Answer">
    <p class={answer.length > MAX_LARGE_CHARACTERS ? "answer-text long" : "answer-text"}>
      {truncate(answer, MAX_ANSWER_CHARACTERS)}
    </p>
    {confidence === "medium" && (
      <p>
        <Badge tone="watch">Medium confidence</Badge> Check how the question was understood.
      </p>
    )}
  </section>
);

interface RefusalProps {
  workspace: { id: string };
  answer: Extract<Answer, { knows: false }>;
}

const RefusalCard: FC<RefusalProps> = ({ workspace, answer: { reason, detail, nearestAnswerable, candidates } }) => (
  <section class="card answer" aria-label="No answer">
    <h2>{REFUSAL_TITLES[reason]}</h2>
    <p>{detail}</p>
    {nearestAnswerable !== undefined && (
      <p>
        You can ask: <AskLink {...{ workspace }} question={nearestAnswerable} />
      </p>
    )}
    {candidates !== undefined && candidates.length > 0 && (
      <>
        <p>Did you mean one of these?</p>
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

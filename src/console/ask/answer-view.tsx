/** An answer with everything it is based on, or the reason for not answering. */
import type { FC, PropsWithChildren } from "hono/jsx";

import { writeDays } from "../../core/ask/query/evidence-list.ts";
import type { Query } from "../../core/ask/query/model.ts";
import type { WrittenAnswer } from "../../core/ask/query/answer-context.ts";
import type { Answer } from "../../services/ask/run-query.ts";
import { Badge, Detail, Moment } from "../components/elements.tsx";
import { truncate } from "../components/truncate.ts";
import { EntityName } from "./account-links.tsx";
import { MATCH_LABELS, REFUSAL_TITLES } from "./answer-labels.ts";
import { EvidenceTable, isAboutAccounts, ResultTable, type AnswerRow } from "./answer-tables.tsx";
import { AnswerText } from "./answer-text.tsx";
import { AskButtons } from "./ask-buttons.tsx";

interface AnswerProps {
  workspace: { id: string };
  answered: Answer;
}

export const AnswerView: FC<AnswerProps> = ({ workspace, answered }) => {
  const { written } = answered;
  return "refusal" in written ? (
    <RefusalCard {...{ workspace, answered }} refusal={written.refusal} />
  ) : (
    <AnswerCard {...{ workspace, answered, written }} />
  );
};

type KnownAnswer = Exclude<WrittenAnswer, { refusal: unknown }>;
type Refusal = Extract<WrittenAnswer, { refusal: unknown }>["refusal"];

const AnswerCard: FC<AnswerProps & { written: KnownAnswer }> = ({ workspace, answered, written }) => {
  const { answer, value, evidence, confidence } = written;
  const { asked, subject } = answered;
  if (asked === null) throw new Error("An answer has no query.");
  const { query } = asked;
  const rows: readonly AnswerRow[] = Array.isArray(value) && query.show !== "summary" ? value : [];
  return (
    <section class="card answer" aria-label="Answer">
      <AnswerText {...{ workspace, query, answer, rows }} />
      {confidence === "medium" && (
        <p>
          <Badge tone="watch">Medium confidence</Badge> Check how the question was understood.
        </p>
      )}
      {subject?.entity.type === "account" && (
        <p>
          Account: <EntityName {...{ workspace }} entity={subject.entity} />
        </p>
      )}
      {addsToLines(rows, query) && (
        <Details title={`All ${rows.length} results`}>
          <ResultTable {...{ workspace, query, rows }} />
        </Details>
      )}
      <Interpretation {...{ workspace, answered }} />
      <Details title="Evidence">
        <EvidenceTable {...{ evidence }} />
      </Details>
    </section>
  );
};

/** The text has at most this many rows. */
const TOLD_ROWS = 10;

/** Whether a table adds something to the text: more rows, or links to the accounts that rows are about. */
const addsToLines = (rows: readonly AnswerRow[], query: Query): boolean =>
  rows.length > (isAboutAccounts(query) ? TOLD_ROWS : 1);

const RefusalCard: FC<AnswerProps & { refusal: Refusal }> = ({ workspace, answered, refusal: { reason, detail } }) => {
  const { options = [], candidates = [], nearestAnswerable } = answered;
  return (
    <section class="card answer" aria-label="No answer">
      <h2>{options.length > 0 ? "Did you mean one of these?" : REFUSAL_TITLES[reason]}</h2>
      <p>{truncate(detail, MAX_DETAIL_CHARACTERS)}</p>
      {options.length > 0 && <AskButtons {...{ workspace }} asked={options} />}
      {candidates.length > 0 && (
        <>
          <p>These have similar names:</p>
          <ul>
            {candidates.map((entity) => (
              <li>
                {entity.type === "feature" ? "event" : entity.type} <EntityName {...{ workspace, entity }} />
              </li>
            ))}
          </ul>
        </>
      )}
      {nearestAnswerable !== undefined && (
        <>
          <p>You can ask:</p>
          <AskButtons {...{ workspace }} asked={[nearestAnswerable]} />
        </>
      )}
      <Interpretation {...{ workspace, answered }} />
    </section>
  );
};

/** Details and restatements contain names that senders chose. */
const MAX_DETAIL_CHARACTERS = 1_000;

const Details: FC<PropsWithChildren<{ title: string }>> = ({ title, children }) => (
  <details>
    <summary>{title}</summary>
    {children}
  </details>
);

/** How the question was understood, and how fresh the data is. Empty if the question was not understood. */
const Interpretation: FC<AnswerProps> = ({ workspace, answered: { asked, subject, window, freshness } }) => {
  if (asked === null) return <></>;
  const { lastEventAt, lastRecomputeAt } = freshness;
  return (
    <Details title="How the question was understood">
      <dl class="answer-facts">
        <Detail name="Question">{truncate(asked.restated, MAX_DETAIL_CHARACTERS)}</Detail>
        {subject !== null && (
          <Detail name="Subject">
            <EntityName {...{ workspace }} entity={subject.entity} />
            <span class="muted">, found {MATCH_LABELS[subject.matchedBy]}</span>
          </Detail>
        )}
        {window !== null && <Detail name="Period">{writeDays(window)}</Detail>}
        <Detail name="As of">
          now
          {lastEventAt !== null && (
            <>
              ; last event <Moment at={lastEventAt} />
            </>
          )}
          {lastRecomputeAt !== null && (
            <>
              ; health updated <Moment at={lastRecomputeAt} />
            </>
          )}
        </Detail>
      </dl>
    </Details>
  );
};

/** An answer with everything it is based on, or the reason for not answering. */
import type { FC } from "hono/jsx";

import { writeDays } from "../../core/ask/query/evidence-list.ts";
import type { WrittenAnswer } from "../../core/ask/query/answer-context.ts";
import type { Entity } from "../../core/ask/query/result.ts";
import { DAY_MS } from "../../core/durations.ts";
import type { Answer } from "../../services/ask/run-query.ts";
import { Badge, Moment } from "../components/elements.tsx";
import { truncate } from "../components/truncate.ts";
import { pathOf } from "../paths.ts";
import { EntityName } from "./account-links.tsx";
import { MATCH_LABELS, REFUSAL_TITLES } from "./answer-labels.ts";
import { evidenceBeside, EvidenceTable, ResultTable, SeriesChart, type AnswerRow } from "./answer-tables.tsx";
import { AnswerText, isList } from "./answer-text.tsx";
import { AskButtons } from "./ask-buttons.tsx";

interface AnswerProps {
  workspace: { id: string };
  answered: Answer;
}

/** @param question as typed */
export const AnswerView: FC<AnswerProps & { question?: string }> = ({ workspace, answered, question = "" }) => {
  const { written } = answered;
  return "refusal" in written ? (
    <RefusalCard {...{ workspace, answered, question }} refusal={written.refusal} />
  ) : (
    <AnswerCard {...{ workspace, answered, written }} />
  );
};

type KnownAnswer = Exclude<WrittenAnswer, { refusal: unknown }>;
type Refusal = Extract<WrittenAnswer, { refusal: unknown }>["refusal"];

const AnswerCard: FC<AnswerProps & { written: KnownAnswer }> = ({ workspace, answered, written }) => {
  const { answer, evidence, confidence } = written;
  const { asked, window, freshness } = answered;
  if (asked === null) throw new Error("An answer has no query.");
  const { query } = asked;
  const rows = tableRowsOf(answered);
  const others = evidenceBeside(evidence, rows);
  return (
    <section class="card answer" aria-label="Answer">
      <Interpretation {...{ workspace, answered }} />
      <AnswerText {...{ answer }} withLines={rows.length === 0} />
      {confidence === "medium" && (
        <p>
          <Badge tone="watch">Medium confidence</Badge> Check how the question was understood.
        </p>
      )}
      {rows.length > 0 && (
        <>
          <SeriesChart {...{ query, rows }} />
          <ResultTable
            {...{ workspace, query, rows }}
            counted={{ window, firstDay: freshness.firstDay, today: Math.floor(Date.now() / DAY_MS) }}
          />
          <form method="post" action={pathOf(workspace, "ask", "csv")}>
            <input type="hidden" name="query" value={JSON.stringify(query)} />
            <button type="submit">Download as CSV</button>
          </form>
        </>
      )}
      {others.length > 0 && (
        <details>
          <summary>Evidence</summary>
          <EvidenceTable evidence={others} />
        </details>
      )}
    </section>
  );
};

/** Returns the rows of an answer that is a list; none for one that its text says in full. */
export function tableRowsOf({ written, asked }: Answer): readonly AnswerRow[] {
  if ("refusal" in written || !Array.isArray(written.value) || !isList(written.answer)) return [];
  return asked === null || asked.query.show === "summary" || asked.query.show === "why" ? [] : written.value;
}

const RefusalCard: FC<AnswerProps & { question: string; refusal: Refusal }> = ({
  workspace,
  answered,
  question,
  refusal: { reason, detail },
}) => {
  const { options = [], candidates = [], nearestAnswerable, unknownWords = [] } = answered;
  return (
    <section class="card answer" aria-label="No answer">
      <Interpretation {...{ workspace, answered }} />
      <h2>{options.length > 0 ? "Did you mean one of these?" : REFUSAL_TITLES[reason]}</h2>
      {unknownWords.length > 0 && question !== "" && <MarkedQuestion {...{ question }} words={unknownWords} />}
      <p>{truncate(detail, MAX_DETAIL_CHARACTERS)}</p>
      {options.length > 0 && <AskButtons {...{ workspace }} asked={options} />}
      {candidates.length > options.length && (
        <>
          <p>These have similar names:</p>
          <Candidates {...{ workspace, candidates, question }} words={unknownWords} previous={answered.previous} />
        </>
      )}
      {nearestAnswerable !== undefined && (
        <>
          <p>You can ask:</p>
          <AskButtons {...{ workspace }} asked={[nearestAnswerable]} />
        </>
      )}
    </section>
  );
};

interface MarkedProps {
  /** As typed. */
  question: string;
  /** The words that have no meaning. */
  words: readonly string[];
}

/** Shows a question as typed, with the words that have no meaning marked. */
const MarkedQuestion: FC<MarkedProps> = ({ question, words }) => {
  const parts = question.split(
    new RegExp(`(${words.map((word) => word.replaceAll(/\W/g, String.raw`\$&`)).join("|")})`),
  );
  return (
    <p class="asked">
      {parts.map((part) => (words.includes(part) ? <mark>{part}</mark> : part))}
      <span class="note"> The marked words were not understood.</span>
    </p>
  );
};

type CandidatesProps = MarkedProps & {
  workspace: { id: string };
  candidates: readonly Entity[];
  previous: Answer["previous"];
};

/** What an unknown word may mean: buttons that ask the question again with the name in its place. */
const Candidates: FC<CandidatesProps> = ({ workspace, candidates, question, previous, words: [word, ...others] }) =>
  word === undefined || others.length > 0 || !question.includes(word) ? (
    <ul>
      {candidates.map((entity) => (
        <li>
          {kindOf(entity)} <EntityName {...{ workspace, entity }} />
        </li>
      ))}
    </ul>
  ) : (
    <form method="post" action={pathOf(workspace, "ask")}>
      {previous && <input type="hidden" name="previous" value={JSON.stringify(previous.query)} />}
      <ul class="ask-buttons">
        {candidates.map((entity) => (
          <li>
            <button type="submit" name="q" value={question.replace(word, () => quoted(entity.externalId))}>
              {kindOf(entity)} {truncate(entity.name ?? entity.externalId)}
            </button>
          </li>
        ))}
      </ul>
    </form>
  );

const kindOf = ({ type }: Entity): string => (type === "feature" ? "event" : type);

/** Quotation marks make sure that a name is read as one. */
const quoted = (name: string): string => `"${name.replaceAll('"', '""')}"`;

/** Details and restatements contain names that senders chose. */
const MAX_DETAIL_CHARACTERS = 1_000;

/** How the question was understood, and how fresh the data is. Empty if the question was not understood. */
const Interpretation: FC<AnswerProps> = ({ workspace, answered: { asked, subject, window, freshness } }) => {
  if (asked === null) return <></>;
  const { lastEventAt, lastRecomputeAt } = freshness;
  return (
    <div class="understood">
      <p>
        <span class="muted">Understood as:</span> {truncate(asked.restated, MAX_DETAIL_CHARACTERS)}
      </p>
      <p class="note">
        {subject !== null && (
          <>
            {kindOf(subject.entity)} <EntityName {...{ workspace }} entity={subject.entity} />, found{" "}
            {MATCH_LABELS[subject.matchedBy]} ·{" "}
          </>
        )}
        {window !== null && <>{writeDays(window)} · </>}
        as of now
        {lastEventAt !== null && (
          <>
            , last event <Moment at={lastEventAt} />
          </>
        )}
        {lastRecomputeAt !== null && (
          <>
            , health updated <Moment at={lastRecomputeAt} />
          </>
        )}
      </p>
    </div>
  );
};

/** An answer, large, with what it was understood from and everything that it stands on; or why there is none. */
import type { FC, PropsWithChildren } from "hono/jsx";

import { spanOf } from "../../core/ask/answer/wording.ts";
import type { Answer, AskWindow } from "../../core/ask/model.ts";
import type { AnsweredQuestion } from "../../db/ask/answer-question.ts";
import { pathOf } from "../context.ts";
import { Badge, Card, Moment } from "../parts/parts.tsx";
import { accountLinks } from "./account-links.ts";
import { EvidenceTable, RowsTable } from "./answer-tables.tsx";
import { MATCH_NAMES, REASON_NAMES } from "./ask-words.ts";

export interface AnswerProps {
  workspace: { id: string };
  answered: AnsweredQuestion;
  now: number;
}

export const AnswerCard: FC<AnswerProps> = ({ workspace, answered: { answer, freshness }, now }) => {
  const links = accountLinks(workspace, answer);
  return (
    <>
      {answer.knows ? <Known answer={answer} /> : <Unknown {...{ workspace, answer }} />}
      <Card title="How it was understood">
        <dl class="answer-facts">
          <Fact name="As the question">{answer.interpretation?.restated ?? "It was not understood."}</Fact>
          {answer.interpretation?.subject != null && (
            <Fact name="About">
              <Subject {...{ workspace }} subject={answer.interpretation.subject} />
            </Fact>
          )}
          {answer.window !== null && <Fact name="Days">{windowWords(answer.window)}</Fact>}
          <Fact name="As of">
            now
            {freshness.lastEventAt !== null && (
              <>
                ; the last event was <Moment at={freshness.lastEventAt} now={now} />
              </>
            )}
            {freshness.lastRecomputeAt !== null && (
              <>
                , health was judged <Moment at={freshness.lastRecomputeAt} now={now} />
              </>
            )}
          </Fact>
        </dl>
      </Card>
      {answer.knows && Array.isArray(answer.value) && answer.value.length > 0 && (
        <RowsTable {...{ links }} rows={answer.value} />
      )}
      {answer.knows && <EvidenceTable {...{ links }} evidence={answer.evidence} />}
    </>
  );
};

const Fact: FC<PropsWithChildren<{ name: string }>> = ({ name, children }) => (
  <div>
    <dt>{name}</dt>
    <dd>{children}</dd>
  </div>
);

/** A longer answer is a list, and reads better in the page's own size. */
const MAX_LARGE_CHARS = 200;

const Known: FC<{ answer: Extract<Answer, { knows: true }> }> = ({ answer }) => (
  <section class="card answer" aria-label="Answer" role="status">
    <p class={`answer-text ${answer.answer.length > MAX_LARGE_CHARS ? "long" : ""}`}>{answer.answer}</p>
    {answer.confidence === "medium" && (
      <p>
        <Badge tone="watch">Medium confidence</Badge> Something in it is uncertain: check how it was understood.
      </p>
    )}
  </section>
);

type UnknownAnswer = Extract<Answer, { knows: false }>;

const Unknown: FC<{ workspace: { id: string }; answer: UnknownAnswer }> = ({ workspace, answer }) => (
  <section class="card answer" aria-label="No answer" role="status">
    <h2>{REASON_NAMES[answer.reason]}</h2>
    <p>{answer.detail}</p>
    {answer.nearestAnswerable !== undefined && (
      <p>
        This can be answered: <AskLink {...{ workspace }} question={answer.nearestAnswerable} />
      </p>
    )}
    {answer.candidates !== undefined && (
      <>
        <p>It may be one of these:</p>
        <ul>
          {answer.candidates.map((candidate) => (
            <li>
              {candidate.type} <Subject {...{ workspace }} subject={candidate} />
            </li>
          ))}
        </ul>
      </>
    )}
  </section>
);

interface SubjectProps {
  workspace: { id: string };
  subject: Pick<
    NonNullable<NonNullable<Answer["interpretation"]>["subject"]>,
    "type" | "id" | "externalId" | "name"
  > & {
    matchedBy?: keyof typeof MATCH_NAMES;
  };
}

const Subject: FC<SubjectProps> = ({ workspace, subject: { type, id, externalId, name, matchedBy } }) => {
  const text = name === undefined ? externalId : `${name} (${externalId})`;
  return (
    <>
      {type === "account" ? <a href={pathOf(workspace, "accounts", id)}>{text}</a> : text}
      {matchedBy !== undefined && <span class="muted">, found {MATCH_NAMES[matchedBy]}</span>}
    </>
  );
};

export const askPath = (workspace: { id: string }, question: string): string =>
  `${pathOf(workspace, "ask")}?${new URLSearchParams({ q: question })}`;

export const AskLink: FC<{ workspace: { id: string }; question: string }> = ({ workspace, question }) => (
  <a href={askPath(workspace, question)}>{question}</a>
);

const windowWords = (window: AskWindow): string =>
  `${spanOf(window)} (${window.phrase === null ? "as no time was told" : `“${window.phrase}”`})`;

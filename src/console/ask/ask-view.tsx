/** A box to ask in, and what came of it. */
import type { FC } from "hono/jsx";

import { MAX_QUESTION_CHARS } from "../../config.ts";
import type { AnsweredQuestion } from "../../services/ask/answer-question.ts";
import { pathOf } from "../session/context.ts";
import { Card, Empty, Heading, Notice } from "../components/elements.tsx";
import { AnswerView } from "./answer-view.tsx";
import { AskLink } from "./ask-link.tsx";

export interface AskViewProps {
  workspace: { id: string };
  /** As it was typed. */
  question: string;
  outcome:
    | { answered: AnsweredQuestion }
    | { fault: string }
    /** Nothing was asked yet; there are none where there is nothing to ask about. */
    | { examples: readonly string[] };
  now: number;
}

export const AskView: FC<AskViewProps> = ({ workspace, question, outcome, now }) => (
  <>
    <Heading title="Ask" lead="Answered from what the workspace knows, or not at all. Questions are kept nowhere." />
    {"fault" in outcome && (
      <Notice tone="bad" role="alert">
        {outcome.fault}
      </Notice>
    )}
    <search class="card">
      <form class="ask-form" method="get" action={pathOf(workspace, "ask")}>
        <label for="q">Your question</label>
        <div class="row">
          <input
            class="grow"
            id="q"
            name="q"
            value={question}
            required
            maxlength={MAX_QUESTION_CHARS}
            autocomplete="off"
            placeholder="Which accounts are at risk?"
            aria-describedby="q-note"
            {...("fault" in outcome && { "aria-invalid": "true" })}
          />
          <button class="primary" type="submit">
            Ask
          </button>
        </div>
        <p class="note" id="q-note">
          One question at a time, in English. Days are UTC.
        </p>
      </form>
    </search>
    {"answered" in outcome && <AnswerView {...{ workspace, now }} answered={outcome.answered} />}
    {"examples" in outcome && <Examples {...{ workspace }} examples={outcome.examples} />}
  </>
);

const Examples: FC<{ workspace: { id: string }; examples: readonly string[] }> = ({ workspace, examples }) =>
  examples.length === 0 ? (
    <Empty title="There is nothing to ask about yet">
      <a href={pathOf(workspace, "start")}>Send some events</a>, and ask about them a second later.
    </Empty>
  ) : (
    <Card title="For example">
      <ul class="examples">
        {examples.map((question) => (
          <li>
            <AskLink {...{ workspace, question }} />
          </li>
        ))}
      </ul>
    </Card>
  );

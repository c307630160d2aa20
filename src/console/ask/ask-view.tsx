/** The question field, and the answer below it. */
import type { FC } from "hono/jsx";

import { MAX_QUESTION_CHARS } from "../../config.ts";
import type { Answer, RestatedQuery } from "../../services/ask/run-query.ts";
import { Card, DocsLink, Empty, FormError, Heading } from "../components/elements.tsx";
import { pathOf } from "../paths.ts";
import { AnswerView } from "./answer-view.tsx";
import { truncate } from "../components/truncate.ts";
import { AskButtons } from "./ask-buttons.tsx";

export interface AskViewProps {
  workspace: { id: string };
  /** As typed, or as on the button that was clicked. */
  question: string;
  outcome:
    | { answered: Answer }
    | { error: string }
    /** Shown before the first question; empty while the workspace has no company account. */
    | { examples: readonly RestatedQuery[] };
}

/** The form sends POST, so that no question is part of a URL, which servers may log. */
export const AskView: FC<AskViewProps> = ({ workspace, question, outcome }) => {
  const about = "answered" in outcome ? askedBefore(outcome.answered) : undefined;
  return (
    <>
      <Heading title="Ask" lead="Answers come only from this workspace’s data. Questions aren’t stored.">
        <DocsLink page="ask" />
      </Heading>
      <FormError error={"error" in outcome ? outcome.error : undefined} />
      <search class="card">
        <form class="ask-form" method="post" action={pathOf(workspace, "ask")}>
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
              {...("error" in outcome && { "aria-invalid": "true" })}
            />
            <button class="primary" type="submit">
              Ask
            </button>
            {"answered" in outcome && <CopyLink />}
          </div>
          <p class="note" id="q-note">
            Ask one question at a time, in English. Days are UTC.
          </p>
          {about !== undefined && <About {...{ workspace, about }} />}
        </form>
      </search>
      {"answered" in outcome && <AnswerView {...{ workspace, question }} answered={outcome.answered} />}
      {"examples" in outcome && <Examples {...{ workspace }} examples={outcome.examples} />}
    </>
  );
};

/** Returns the last query with an answer. */
const askedBefore = ({ written, asked, previous }: Answer): RestatedQuery | undefined =>
  "refusal" in written ? previous : (asked ?? undefined);

const MAX_ABOUT_CHARACTERS = 300;

/** Sends the last query with the next question, so that "and in emea?" changes it. */
const About: FC<{ workspace: { id: string }; about: RestatedQuery }> = ({ workspace, about: { query, restated } }) => (
  <p class="note">
    <input type="hidden" name="previous" value={JSON.stringify(query)} />
    Follow-ups such as “how many?” are about: {truncate(restated, MAX_ABOUT_CHARACTERS)}{" "}
    <a href={pathOf(workspace, "ask")}>Start afresh</a>
  </p>
);

/** Copies a link to the question. The script sets the link and shows the button. */
const CopyLink: FC = () => (
  <button type="button" data-copy="" data-label="Copy link" hidden>
    Copy link
  </button>
);

const Examples: FC<{ workspace: { id: string }; examples: readonly RestatedQuery[] }> = ({ workspace, examples }) =>
  examples.length === 0 ? (
    <Empty title="No data to ask about yet">
      <a href={pathOf(workspace, "start")}>Send some events</a>. You can ask about them a second later.
    </Empty>
  ) : (
    <Card title="Examples">
      <AskButtons {...{ workspace }} asked={examples} />
    </Card>
  );

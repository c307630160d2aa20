/** As what a question was understood, and as of when it was answered. */
import type { FC, PropsWithChildren } from "hono/jsx";

import { spanOf } from "../../core/ask/answer/wording.ts";
import type { AskWindow, Freshness, Interpretation } from "../../core/ask/model.ts";
import { Card, Moment } from "../components/elements.tsx";
import { MATCH_NAMES } from "./ask-words.ts";
import { Subject } from "./subject.tsx";

interface UnderstoodProps {
  workspace: { id: string };
  interpretation: Interpretation;
  window: AskWindow | null;
  freshness: Freshness;
  now: number;
}

export const UnderstoodCard: FC<UnderstoodProps> = ({ workspace, interpretation, window, freshness, now }) => {
  const { restated, subject } = interpretation;
  const { lastEventAt, lastRecomputeAt } = freshness;
  return (
    <Card title="How it was understood">
      <dl class="answer-facts">
        <Fact name="As the question">{restated}</Fact>
        {subject !== null && (
          <Fact name="About">
            <Subject {...{ workspace, subject }} />
            <span class="muted">, found {MATCH_NAMES[subject.matchedBy]}</span>
          </Fact>
        )}
        {window !== null && <Fact name="Days">{windowWords(window)}</Fact>}
        <Fact name="As of">
          now
          {lastEventAt !== null && (
            <>
              ; the last event was <Moment at={lastEventAt} now={now} />
            </>
          )}
          {lastRecomputeAt !== null && (
            <>
              ; health was judged <Moment at={lastRecomputeAt} now={now} />
            </>
          )}
        </Fact>
      </dl>
    </Card>
  );
};

const Fact: FC<PropsWithChildren<{ name: string }>> = ({ name, children }) => (
  <div>
    <dt>{name}</dt>
    <dd>{children}</dd>
  </div>
);

const windowWords = (window: AskWindow): string =>
  `${spanOf(window)} (${window.phrase === null ? "as no time was told" : `“${window.phrase}”`})`;

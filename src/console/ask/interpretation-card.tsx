/** How the question was understood, and how fresh the data is. */
import type { FC, PropsWithChildren } from "hono/jsx";

import { spanOf } from "../../core/ask/answer/wording.ts";
import type { AskWindow, Freshness, Interpretation } from "../../core/ask/model.ts";
import { Card, Moment } from "../components/elements.tsx";
import { MATCH_LABELS } from "./answer-labels.ts";
import { Subject } from "./subject.tsx";

interface InterpretationProps {
  workspace: { id: string };
  interpretation: Interpretation;
  window: AskWindow | null;
  freshness: Freshness;
  now: number;
}

export const InterpretationCard: FC<InterpretationProps> = (props) => {
  const { workspace, interpretation, window, freshness, now } = props;
  const { restated, subject } = interpretation;
  const { lastEventAt, lastRecomputeAt } = freshness;
  return (
    <Card title="How the question was understood">
      <dl class="answer-facts">
        <Fact name="Question">{restated}</Fact>
        {subject !== null && (
          <Fact name="Subject">
            <Subject {...{ workspace, subject }} />
            <span class="muted">, found {MATCH_LABELS[subject.matchedBy]}</span>
          </Fact>
        )}
        {window !== null && <Fact name="Period">{describeWindow(window)}</Fact>}
        <Fact name="As of">
          now
          {lastEventAt !== null && (
            <>
              ; last event <Moment at={lastEventAt} now={now} />
            </>
          )}
          {lastRecomputeAt !== null && (
            <>
              ; health updated <Moment at={lastRecomputeAt} now={now} />
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

const describeWindow = (window: AskWindow): string =>
  `${spanOf(window)} (${window.phrase === null ? "default" : `“${window.phrase}”`})`;

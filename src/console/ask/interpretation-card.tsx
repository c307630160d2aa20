/** How the question was understood, and how fresh the data is. */
import type { FC } from "hono/jsx";

import { spanOf } from "../../core/ask/answer/wording.ts";
import type { AskWindow, Freshness, Interpretation } from "../../core/ask/model.ts";
import { Card, Fact, Moment } from "../components/elements.tsx";
import { MATCH_LABELS } from "./answer-labels.ts";
import { Subject } from "./subject.tsx";

interface InterpretationProps {
  workspace: { id: string };
  interpretation: Interpretation;
  window: AskWindow | null;
  freshness: Freshness;
}

export const InterpretationCard: FC<InterpretationProps> = (props) => {
  const { workspace, interpretation, window, freshness } = props;
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
              ; last event <Moment at={lastEventAt} />
            </>
          )}
          {lastRecomputeAt !== null && (
            <>
              ; health updated <Moment at={lastRecomputeAt} />
            </>
          )}
        </Fact>
      </dl>
    </Card>
  );
};

const describeWindow = (window: AskWindow): string =>
  `${spanOf(window)} (${window.phrase === null ? "default" : `“${window.phrase}”`})`;

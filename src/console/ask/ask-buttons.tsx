import type { FC } from "hono/jsx";

import type { RestatedQuery } from "../../services/ask/run-query.ts";
import { takeBytes, truncate } from "../components/truncate.ts";
import { pathOf } from "../session/context.ts";

/** What a button sends: a question in words, or a query. */
type Asked = string | RestatedQuery;

interface AskButtonsProps {
  workspace: { id: string };
  asked: readonly Asked[];
}

/** Limits the size of the page if questions contain long names. */
const MAX_BYTES = 16_000;
const MAX_CHARACTERS = 300;

/** A list of questions as buttons. They submit a form, so that no question is part of a URL. */
export const AskButtons: FC<AskButtonsProps> = ({ workspace, asked }) => (
  <form method="post" action={pathOf(workspace, "ask")}>
    <ul class="ask-buttons">
      {takeBytes(
        asked.map((one) => (
          <li>
            <AskButton asked={one} />
          </li>
        )),
        MAX_BYTES,
      )}
    </ul>
  </form>
);

const AskButton: FC<{ asked: Asked }> = ({ asked }) =>
  typeof asked === "string" ? (
    <button type="submit" name="q" value={asked}>
      {truncate(asked, MAX_CHARACTERS)}
    </button>
  ) : (
    <button type="submit" name="query" value={JSON.stringify(asked.query)}>
      {truncate(asked.restated, MAX_CHARACTERS)}
    </button>
  );

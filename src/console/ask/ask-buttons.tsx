import type { FC } from "hono/jsx";

import type { Option } from "../../services/ask/run-query.ts";
import { takeBytes, truncate } from "../components/truncate.ts";
import { pathOf } from "../paths.ts";

interface AskButtonsProps {
  workspace: { id: string };
  asked: readonly Option[];
}

/** Limits the size of the page if questions contain long names. */
const MAX_BYTES = 16_000;
const MAX_CHARACTERS = 300;

/** A list of questions as buttons. They submit a form, so that no question is part of a URL. */
export const AskButtons: FC<AskButtonsProps> = ({ workspace, asked }) => (
  <form method="post" action={pathOf(workspace, "ask")}>
    <ul class="ask-buttons">
      {takeBytes(
        asked.map(({ query, restated, leftOut = [] }) => (
          <li>
            <button type="submit" name="query" value={JSON.stringify(query)}>
              {truncate(restated, MAX_CHARACTERS)}
            </button>
            {leftOut.length > 0 && <span class="note"> without {leftOut.map((said) => `“${said}”`).join(", ")}</span>}
          </li>
        )),
        MAX_BYTES,
      )}
    </ul>
  </form>
);

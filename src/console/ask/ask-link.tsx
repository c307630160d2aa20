import type { FC } from "hono/jsx";

import { pathOf } from "../session/context.ts";

/** A link that asks a question. */
export const AskLink: FC<{ workspace: { id: string }; question: string }> = ({ workspace, question }) => (
  <a href={`${pathOf(workspace, "ask")}?q=${encodeURIComponent(question)}`}>{question}</a>
);

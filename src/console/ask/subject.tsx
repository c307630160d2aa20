import type { FC } from "hono/jsx";

import type { Interpretation } from "../../core/ask/model.ts";
import { pathOf } from "../session/context.ts";
import { shortened } from "../components/truncate.ts";

type Named = Pick<NonNullable<Interpretation["subject"]>, "type" | "id" | "externalId" | "name">;

/** What a question is about, or may be: an account with its page. */
export const Subject: FC<{ workspace: { id: string }; subject: Named }> = ({ workspace, subject }) => {
  const { type, id, externalId, name } = subject;
  const called = shortened(externalId);
  const text = name === undefined ? called : `${shortened(name)} (${called})`;
  return type === "account" ? <a href={pathOf(workspace, "accounts", id)}>{text}</a> : <>{text}</>;
};

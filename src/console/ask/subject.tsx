import type { FC } from "hono/jsx";

import type { Interpretation } from "../../core/ask/model.ts";
import { truncate } from "../components/truncate.ts";
import { pathOf } from "../session/context.ts";

type NamedSubject = Pick<NonNullable<Interpretation["subject"]>, "type" | "id" | "externalId" | "name">;

/** The account or user of a question. An account is a link to its page. */
export const Subject: FC<{ workspace: { id: string }; subject: NamedSubject }> = ({ workspace, subject }) => {
  const { type, id, externalId, name } = subject;
  const shortId = truncate(externalId);
  const text = name === undefined ? shortId : `${truncate(name)} (${shortId})`;
  return type === "account" ? <a href={pathOf(workspace, "accounts", id)}>{text}</a> : <>{text}</>;
};

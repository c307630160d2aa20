/** Links from an answer to the pages of accounts. */
import type { FC } from "hono/jsx";

import type { Entity } from "../../core/ask/query/result.ts";
import { truncate } from "../components/truncate.ts";
import { pathOf } from "../session/context.ts";

/** Browsers remove the first two from paths, however they are escaped. The last would be taken for an internal id. */
const UNLINKABLE = /^(?:\.{1,2}$|acc_)/;

/** @returns `null` if no path can name the account */
export const accountPath = (workspace: { id: string }, externalId: string): string | null =>
  UNLINKABLE.test(externalId) ? null : pathOf(workspace, "accounts", externalId);

/** A text that leads to the page of an account, if there is one. */
export const MaybeLink: FC<{ to: string | null; text: string }> = ({ to, text }) =>
  to === null ? <>{text}</> : <a href={to}>{text}</a>;

/** An account, a user or an event. An account is a link to its page. */
export const EntityName: FC<{ workspace: { id: string }; entity: Entity }> = ({ workspace, entity }) => {
  const { type, id, externalId, name } = entity;
  const shortId = truncate(externalId);
  const text = name === null || name === externalId ? shortId : `${truncate(name)} (${shortId})`;
  return <MaybeLink to={type === "account" ? pathOf(workspace, "accounts", id) : null} text={text} />;
};

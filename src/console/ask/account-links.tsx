/** Links from an answer to the pages of accounts. */
import type { FC } from "hono/jsx";

import type { Entity } from "../../core/ask/query/result.ts";
import { truncate } from "../components/truncate.ts";
import { pathOf } from "../paths.ts";

/** Browsers remove the first two from paths, even if escaped. The last would be read as an internal id. */
const UNLINKABLE = /^(?:\.{1,2}$|acc_)/;

/** @returns `null` if the account's id can't be part of a path */
export const accountPath = (workspace: { id: string }, externalId: string): string | null =>
  UNLINKABLE.test(externalId) ? null : pathOf(workspace, "accounts", externalId);

/** A text that links to the page of its account, if it has one. */
export const MaybeLink: FC<{ to: string | null; text: string }> = ({ to, text }) =>
  to === null ? <>{text}</> : <a href={to}>{text}</a>;

/** The name of an account, a user or an event. An account's links to its page. */
export const EntityName: FC<{ workspace: { id: string }; entity: Entity }> = ({ workspace, entity }) => {
  const { type, id, externalId, name } = entity;
  const shortId = truncate(externalId);
  const text = name === null || name === externalId ? shortId : `${truncate(name)} (${shortId})`;
  return <MaybeLink to={type === "account" ? pathOf(workspace, "accounts", id) : null} text={text} />;
};

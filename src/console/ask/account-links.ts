/** Links from an answer's accounts to their pages. */
import type { Answer } from "../../core/ask/model.ts";
import { pathOf } from "../session/context.ts";

const ACCOUNT_ID = /^acc_/;
/** Browsers remove these from paths, however they are escaped. */
const DOT_SEGMENTS: ReadonlySet<string> = new Set([".", ".."]);

/** Returns the path of an account's page; `null` if no path can name it. */
export type AccountLinks = (externalId: string) => string | null;

/** Links by internal id where the answer gives it, since it is unambiguous, and otherwise by external id. */
export function accountLinks(workspace: { id: string }, answer: Answer): AccountLinks {
  const rows = answer.knows && Array.isArray(answer.value) ? answer.value : [];
  const subject = answer.interpretation?.subject;
  const ids = new Map<string, string>();
  for (const { id, externalId } of [...rows, ...(subject == null ? [] : [{ ...subject }])]) {
    if (isAccountId(id) && typeof externalId === "string") ids.set(externalId, id);
  }
  return (externalId) => {
    const id = ids.get(externalId) ?? externalId;
    return DOT_SEGMENTS.has(id) ? null : pathOf(workspace, "accounts", id);
  };
}

export const isAccountId = (id: unknown): id is string => typeof id === "string" && ACCOUNT_ID.test(id);

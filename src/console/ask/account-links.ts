/** Where an answer's accounts have their pages. */
import type { Answer } from "../../core/ask/model.ts";
import { pathOf } from "../session/context.ts";

const ACCOUNT_ID = /^acc_/;
/** What browsers take out of addresses, however it is escaped. */
const NO_SEGMENTS: ReadonlySet<string> = new Set([".", ".."]);

/** `null`: it has a page, but no address that names it. */
export type AccountLinks = (externalId: string) => string | null;

/** By external id; where the answer tells the internal one it is that, which no other account can have. */
export function accountLinks(workspace: { id: string }, answer: Answer): AccountLinks {
  const rows = answer.knows && Array.isArray(answer.value) ? answer.value : [];
  const subject = answer.interpretation?.subject;
  const ids = new Map<string, string>();
  for (const { id, externalId } of [...rows, ...(subject == null ? [] : [{ ...subject }])]) {
    if (typeof id === "string" && typeof externalId === "string" && ACCOUNT_ID.test(id)) ids.set(externalId, id);
  }
  return (externalId) => {
    const id = ids.get(externalId) ?? externalId;
    return NO_SEGMENTS.has(id) ? null : pathOf(workspace, "accounts", id);
  };
}

export const isAccountId = (id: unknown): id is string => typeof id === "string" && ACCOUNT_ID.test(id);

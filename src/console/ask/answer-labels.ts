/** Labels for the codes and values of answers. */
import type { Evidence, RefusalReason } from "../../core/ask/model.ts";
import { writeNumber } from "../../core/ask/query/evidence-list.ts";
import type { MatchedBy } from "../../services/ask/run-query.ts";
import { truncate } from "../components/truncate.ts";

/** The headings of refusals. The answer's detail says more. */
export const REFUSAL_TITLES: Readonly<Record<RefusalReason, string>> = {
  no_such_subject: "No account or user with this name",
  ambiguous_subject: "More than one account or user has this name",
  no_such_event: "No events with this name",
  no_data_in_window: "No data for this period",
  insufficient_history: "Not enough data yet",
  unmeasured_attribute: "This is not recorded",
  needs_previous: "This needs the question before it",
  unresolved_words: "I don’t understand some of these words",
  causal_claim: "I can’t explain causes",
  prediction: "I can’t predict the future",
  opinion: "I can’t give advice",
  out_of_scope: "This is not about your accounts",
  stale_data: "The data is out of date",
  too_many_rows: "The query would read too much data",
};

export const MATCH_LABELS: Readonly<Record<MatchedBy, string>> = {
  hint: "by the id given with the question",
  internal_id: "by id",
  external_id: "by id",
  name: "by name",
  folded: "by name, spelled differently",
  part: "by part of the name",
  fuzzy: "by a similar name",
};

export const EVIDENCE_LABELS: Readonly<Record<Evidence["kind"], string>> = {
  rollup: "counted",
  event: "event",
  attribute: "attribute",
  health: "health",
  item: "inbox",
  trait: "trait",
};

/** Turns a code into a label: `Active users` from `active_users`, `Account: industry` from `account.industry`. */
export function labelOf(code: string): string {
  const words = code
    .replace(".", ": ")
    .replaceAll(/(?<=[a-z])(?=[A-Z])|_/g, " ")
    .toLowerCase();
  return truncate(
    words.replace(/^(?:mrr|arr)\b/, (name) => name.toUpperCase()).replace(/^./, (first) => first.toUpperCase()),
  );
}

/** Formats any value of an answer. */
export function formatValue(value: unknown): string {
  if (value === null || value === undefined) return "–";
  if (typeof value === "number") return writeNumber(value);
  if (typeof value === "boolean") return value ? "Yes" : "No";
  return truncate(typeof value === "string" ? value : JSON.stringify(value));
}

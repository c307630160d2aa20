/** Reading what the recompute concluded, and marking items of the inbox: docs/wire.md §13, §14. */
import { accountFilters, itemFilters, pageQuery } from "../../../edge/schemas/list-queries.ts";
import { snoozeRequest } from "../../schemas/snooze-request.ts";
import { accounts, inbox, marked, oneAccount } from "../answers/outcomes.ts";
import { ACCOUNTS } from "./examples.ts";
import { JSON_BODY, KEYED, type Operation, OR_INTERNAL_ID } from "./operation.ts";

const outcome = { tag: "Outcomes" } as const;
const mark = {
  ...outcome,
  access: "inbox",
  parameters: { id: "The item's, `itm_…`." },
  answer: { status: 200, description: "The item as it stands now.", schema: marked },
  errors: [...KEYED, "not_found"],
} as const;

export const OUTCOMES: readonly Operation[] = [
  {
    ...outcome,
    at: { "/api/v1/accounts": "listAccounts" },
    method: "get",
    summary: "List accounts with their health",
    access: "read",
    query: pageQuery.extend(accountFilters),
    answer: { status: 200, description: "A page of accounts.", schema: accounts, examples: { accounts: ACCOUNTS } },
    errors: [...KEYED, "invalid_request"],
  },
  {
    ...outcome,
    at: { "/api/v1/accounts/{externalId}": "readAccount" },
    method: "get",
    summary: "Read an account with all that explains its health",
    access: "read",
    parameters: { externalId: `${OR_INTERNAL_ID} The company account that has it, else the account of one.` },
    answer: { status: 200, description: "The account.", schema: oneAccount },
    errors: [...KEYED, "not_found"],
  },
  {
    ...outcome,
    at: { "/api/v1/inbox": "listInbox" },
    method: "get",
    summary: "List the items of the inbox, the highest rank first",
    access: "read",
    query: pageQuery.extend(itemFilters),
    answer: { status: 200, description: "A page of items.", schema: inbox },
    errors: [...KEYED, "invalid_request"],
  },
  {
    ...mark,
    at: { "/api/v1/inbox/{id}/dismiss": "dismissItem" },
    method: "post",
    summary: "Put an item aside for good",
    description: "Needs no body, and may be repeated.",
  },
  {
    ...mark,
    at: { "/api/v1/inbox/{id}/dismiss": "undismissItem" },
    method: "delete",
    summary: "Take a dismissal back",
  },
  {
    ...mark,
    at: { "/api/v1/inbox/{id}/snooze": "snoozeItem" },
    method: "post",
    summary: "Put an item aside until then",
    body: { schema: snoozeRequest, example: { until: "2026-12-01T08:00:00Z" } },
    errors: [...mark.errors, ...JSON_BODY],
  },
  {
    ...mark,
    at: { "/api/v1/inbox/{id}/snooze": "unsnoozeItem" },
    method: "delete",
    summary: "Take a snooze back",
  },
];

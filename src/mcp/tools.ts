/** The tools of agents: docs/wire/agents.md §24. They do what the API's operations of the same names do. */
import * as z from "zod";

import { MAX_PAGE_ROWS } from "../config.ts";
import { querySchema } from "../core/ask/query/model.ts";
import { requiredIdentifier } from "../core/ingest/identifiers.ts";
import { INVALID_CURSOR, pageOf, readCursor } from "../edge/cursor.ts";
import { listAccountsPage, readOneAccount } from "../edge/operations/accounts.ts";
import { ask, query } from "../edge/operations/answers.ts";
import { listEventsPage } from "../edge/operations/events.ts";
import { listItemsPage, markOneItem } from "../edge/operations/inbox.ts";
import { accountDetails, accounts, oneAccount } from "../edge/responses/account.ts";
import { dimension, dimensions } from "../edge/responses/dimensions.ts";
import { event, events } from "../edge/responses/event.ts";
import { nextCursor } from "../edge/responses/fields.ts";
import { inbox, marked } from "../edge/responses/inbox-item.ts";
import { askRequest } from "../edge/schemas/ask-request.ts";
import { accountFilters, itemFilters } from "../edge/schemas/list-queries.ts";
import { dismissal } from "../edge/schemas/marks.ts";
import { snooze } from "../edge/schemas/snooze.ts";
import { listDimensions } from "../services/ask/answer-query.ts";
import { fitAnswer, fittedAnswer } from "./fit-answer.ts";
import { fitRows, type Long, shorten, truncated } from "./fit.ts";
import { QUERY_DESCRIPTION } from "./query-description.ts";
import { type Tool, tool } from "./tool.ts";

const DEFAULT_ROWS = 20;

const cursor = z
  .string()
  .nullish()
  .transform((given) => given ?? undefined)
  .describe("The `nextCursor` of the page before, with the same other arguments.");
const page = z.strictObject({
  limit: z.int().min(1).max(MAX_PAGE_ROWS).default(DEFAULT_ROWS).describe("Maximum of rows. A page may have fewer."),
  cursor,
});
const item = z.strictObject({ id: z.string().min(1).describe("The item's id (`itm_…`), as in list_inbox.") });

const MARKED = (field: string) =>
  `It worked if the result has \`${field}\`, so don't repeat it: the item's status stays \`open\`, because only the recompute resolves items.`;

/** What an account may lose, first to last: its reasons and open items matter most. */
const LONG_OF_ACCOUNT: readonly Long[] = [
  { field: "history", atLeast: 30, isOldestFirst: true },
  { field: "attributeHistory", isOldestFirst: true },
  { field: "traits" },
  { field: "users" },
  { field: "topEvents" },
  { field: "history", isOldestFirst: true },
  { field: "openItems" },
];

export const TOOLS: Readonly<Record<string, Tool>> = {
  ask: tool(
    {
      scope: "ask",
      title: "Ask a question",
      description:
        "Answers a question in plain English about accounts, users, features, events and the inbox, with evidence for each number. If it can't, it says why, and often what to ask instead. With `previous`, the `query` of the answer before, it understands follow-ups such as \"and in emea?\". Use the tool query if a question isn't understood.",
      input: askRequest,
      output: fittedAnswer,
    },
    async (env, grant, asked) => {
      const answer = await ask(env, grant, asked);
      return answer.ok ? fitAnswer(answer) : answer;
    },
  ),
  query: tool(
    { scope: "ask", title: "Run a query", description: QUERY_DESCRIPTION, input: querySchema, output: fittedAnswer },
    async (env, grant, asked) => {
      const answer = await query(env, grant, asked);
      return answer.ok ? fitAnswer(answer) : answer;
    },
  ),
  list_dimensions: tool(
    {
      scope: "ask",
      title: "List dimensions of queries",
      description: "Lists the names, types and values that queries can filter, group and describe by.",
      input: z.strictObject({ cursor }),
      output: dimensions.extend({ dimensions: z.array(dimension.extend({ truncated })), nextCursor }),
    },
    async (env, { workspace }, { cursor: given }) => {
      const list = ["dimensions", workspace.id];
      const from = readCursor(list, given);
      if (from === undefined) return INVALID_CURSOR;
      const all = (await listDimensions(env, workspace)).map((row, index) => ({ row, index }));
      const rest = all.slice(from ?? 0);
      const fitting = fitRows(["values"])(rest.map(({ row }) => row));
      const { nextCursor: next } = pageOf(rest, fitting.length, list, ({ index }) => index + 1);
      return { ok: true, dimensions: fitting, nextCursor: next };
    },
  ),
  list_accounts: tool(
    {
      scope: "read",
      title: "List accounts",
      description: "Lists accounts with their health, plan and MRR: those with the lowest score first by default.",
      input: page.extend(accountFilters),
      output: accounts,
    },
    (env, grant, request) => listAccountsPage(env, grant, request, fitRows()),
  ),
  get_account: tool(
    {
      scope: "read",
      title: "Get an account",
      description:
        "Reads one account: what its score consists of, its history, users, most frequent events, open inbox items and traits.",
      input: z.strictObject({ account: requiredIdentifier("The external or internal id (`acc_…`) of the account.") }),
      output: oneAccount.extend({ account: accountDetails.extend({ truncated }) }),
    },
    async (env, grant, { account: id }) => {
      const read = await readOneAccount(env, grant, id);
      if (!read.ok) return { ...read, message: "No such account: use list_accounts to find its id." };
      return { ...read, account: shorten(read.account, LONG_OF_ACCOUNT) };
    },
  ),
  list_inbox: tool(
    {
      scope: "read",
      title: "List the inbox",
      description: "Lists inbox items, most urgent first: which account needs attention, why, and what to do.",
      input: page.extend(itemFilters),
      output: inbox,
    },
    (env, grant, request) => listItemsPage(env, grant, request, fitRows()),
  ),
  list_events: tool(
    {
      scope: "read",
      title: "List events",
      description: "Lists the latest events of all accounts, newest first. Use query to count or filter events.",
      input: page,
      output: events.extend({ events: z.array(event.extend({ truncated })) }),
    },
    (env, grant, request) => listEventsPage(env, grant, request, fitRows(["properties"])),
  ),
  dismiss_item: tool(
    {
      scope: "inbox",
      title: "Dismiss an inbox item",
      description: `Hides an item of the inbox for everybody. Only do this if a person asked for it. ${MARKED("dismissedAt")}`,
      input: dismissal.extend(item.shape),
      output: marked,
      isWrite: true,
    },
    (env, grant, { id, reason }) => markOneItem(env, grant, id, { dismissed: true, reason }),
  ),
  snooze_item: tool(
    {
      scope: "inbox",
      title: "Snooze an inbox item",
      description: `Hides an item of the inbox for everybody until a time. Only do this if a person asked for it. ${MARKED("snoozedUntil")}`,
      input: snooze.extend(item.shape),
      output: marked,
      isWrite: true,
    },
    (env, grant, { id, until }) => markOneItem(env, grant, id, { snoozedUntil: until }),
  ),
};

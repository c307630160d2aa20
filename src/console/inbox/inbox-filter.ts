/** Which part of the inbox somebody looks at: it stands in the page's address, and actions lead back to it. */
import * as z from "zod";

import type { ItemKind } from "../../core/inbox/model.ts";
import type { ItemStatus } from "../../services/inbox.ts";
import { itemFilters } from "../../edge/schemas/list-queries.ts";
import { pathOf } from "../session/context.ts";

/** What was just done to an item. */
const DEEDS = ["dismissed", "snoozed", "restored"] as const;
export type Deed = (typeof DEEDS)[number];

export interface InboxFilter {
  status: ItemStatus;
  kind?: ItemKind | undefined;
  cursor?: string | undefined;
}

export const NO_FILTER: InboxFilter = { status: "open" };

/** A choice of nothing in a form is an empty field. */
const absentIfEmpty = (value: unknown) => (value === "" ? undefined : value);

export const inboxQuery = z.object({
  status: z.preprocess(absentIfEmpty, itemFilters.status),
  kind: z.preprocess(absentIfEmpty, itemFilters.kind),
  cursor: z.string().optional(),
  done: z.enum(DEEDS).optional(),
  item: z.string().optional(),
});

/** By the days that a form sends. */
export const SNOOZES = { "1": "1 day", "7": "1 week", "30": "1 month" } as const;

export const snoozeForm = z.object({ days: z.enum(Object.keys(SNOOZES)).transform(Number) });

export const inboxPath = (
  workspace: { id: string },
  filter: InboxFilter,
  note?: { done: Deed; item: string },
): string => withQuery(pathOf(workspace, "inbox"), { ...filter, ...note });

/** Of an action on an item, which leads back to the part of the inbox that it was taken in. */
export const actionPath = (workspace: { id: string }, filter: InboxFilter, ...action: string[]): string =>
  withQuery(pathOf(workspace, "inbox", ...action), { ...filter });

function withQuery(path: string, fields: Record<string, string | undefined>): string {
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(fields)) {
    if (value !== undefined && !(name === "status" && value === NO_FILTER.status)) query.set(name, value);
  }
  return query.size === 0 ? path : `${path}?${query.toString()}`;
}

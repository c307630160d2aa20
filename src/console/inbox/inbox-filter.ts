/** The filter of the inbox. It is part of the page's address, and actions lead back to it. */
import * as z from "zod";

import type { ItemKind } from "../../core/inbox/model.ts";
import { itemFilters } from "../../edge/schemas/list-queries.ts";
import type { ItemStatus } from "../../services/inbox.ts";
import { emptyToUndefined, withQuery } from "../forms/filter.ts";
import { pathOf } from "../session/context.ts";

const ACTIONS = ["dismissed", "snoozed", "reopened"] as const;
export type Action = (typeof ACTIONS)[number];

export interface InboxFilter {
  status: ItemStatus;
  kind?: ItemKind | undefined;
  cursor?: string | undefined;
}

export const DEFAULT_FILTER: InboxFilter = { status: "open" };

export const inboxQuery = z.object({
  status: emptyToUndefined(itemFilters.status),
  kind: emptyToUndefined(itemFilters.kind),
  cursor: z.string().optional(),
  done: z.enum(ACTIONS).optional(),
  item: z.string().optional(),
});

/** By the number of days that the form sends. */
export const SNOOZES = { "1": "1 day", "7": "1 week", "30": "1 month" } as const;

export const snoozeForm = z.object({ days: z.enum(Object.keys(SNOOZES)).transform(Number) });

/** Returns the path of the inbox or of an action. Both contain the filter, so that an action leads back to it. */
export const inboxPath = (
  workspace: { id: string },
  filter: InboxFilter & { done?: Action; item?: string },
  ...action: string[]
): string => withQuery(pathOf(workspace, "inbox", ...action), { ...filter }, { ...DEFAULT_FILTER });

/** The filter of the inbox. It is part of the page's address, and actions lead back to it. */
import * as z from "zod";

import { itemFilters } from "../../edge/schemas/list-queries.ts";
import { pathOf, withQuery } from "../paths.ts";

/** Ignores what is invalid. Forms send an empty string for a kind that isn't selected. */
export const inboxQuery = z.object({
  status: itemFilters.status.catch("open"),
  kind: itemFilters.kind.catch(undefined),
  owner: itemFilters.owner.catch(undefined),
  cursor: z.string().optional(),
  /** The id of the item that an action has changed. */
  item: z.string().optional(),
  /** The id of the item that a link from elsewhere asks for. */
  show: z.string().optional(),
});

export type InboxFilter = Omit<z.infer<typeof inboxQuery>, "item" | "show">;

/** By the number of days that the form sends. */
export const SNOOZES = { "1": "1 day", "7": "1 week", "30": "1 month" } as const;

export const snoozeForm = z.object({ days: z.enum(Object.keys(SNOOZES)).transform(Number) });

/** Returns the path of the inbox or of an action. Both contain the filter, so that an action leads back to it. */
export const inboxPath = (
  workspace: { id: string },
  filter: Partial<z.infer<typeof inboxQuery>>,
  ...action: string[]
): string => withQuery(pathOf(workspace, "inbox", ...action), { ...filter }, { status: "open" });

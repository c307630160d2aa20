/** The address of the inbox: its filter, the item in the panel, and what the last action has changed. */
import * as z from "zod";

import { itemFilters } from "../../edge/schemas/list-queries.ts";
import { MAX_OWNER_ID_CHARACTERS } from "../owner-ids.ts";
import { pathOf, withQuery } from "../paths.ts";

/** Few enough for a small page, and enough to work through without another one. */
export const PAGE_ITEMS = 40;

/** What `undo` reverses. */
export const UNDONE = ["dismiss", "snooze", "contacted"] as const;
/** What an action can have done. */
export const DEEDS = [...UNDONE, "undo", "note", "owner"] as const;
export type Deed = (typeof DEEDS)[number];

/** Ignores what is invalid. Forms send an empty string for a kind that isn't selected. */
export const inboxQuery = z.object({
  status: itemFilters.status.catch("open"),
  kind: itemFilters.kind.catch(undefined),
  /** The id of an owner, `MINE` or `NOBODY`. */
  owner: z.string().min(1).max(MAX_OWNER_ID_CHARACTERS).optional().catch(undefined),
  cursor: z.string().optional(),
  /** The id of the item in the panel. */
  show: z.string().optional(),
  /** What an action did, and the ids of the items that it has changed, separated by commas. */
  did: z.enum(DEEDS).optional().catch(undefined),
  changed: z
    .string()
    .default("")
    .transform((ids) => ids.split(",", PAGE_ITEMS)),
});

export type InboxFilter = Omit<z.infer<typeof inboxQuery>, "show" | "changed" | "did">;

export type Place = Partial<InboxFilter> & {
  show?: string | undefined;
  did?: Deed | undefined;
  changed?: readonly string[];
};

/** Returns the path of the inbox or of an action. Both contain the filter, so that an action leads back to it. */
export const inboxPath = (workspace: { id: string }, { changed, ...place }: Place, ...action: string[]): string =>
  withQuery(
    pathOf(workspace, "inbox", ...action),
    { ...place, changed: changed?.join(",") || undefined },
    { status: "open" },
  );

/** The element that actions replace. */
export const IN_PLACE = {
  id: "inbox",
  "hx-boost": "true",
  "hx-target": "#inbox",
  "hx-select": "#inbox",
  "hx-swap": "outerHTML show:none",
};

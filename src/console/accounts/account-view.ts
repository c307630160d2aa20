/** What the page of an account shows, as its address says. Actions lead back to the same view. */
import * as z from "zod";

import { DAY_MS } from "../../core/durations.ts";
import type { Day } from "../../core/health/model.ts";
import { pathOf, withQuery } from "../paths.ts";

/** Ignores what is invalid. */
export const accountView = z.object({
  range: z.string().catch("90"),
  /** Changes are listed since this day. */
  since: z.iso.date().optional().catch(undefined),
  /** The event whose use has a chart. */
  feature: z.string().max(256).optional().catch(undefined),
  /** The page of users. */
  users: z.coerce.number().int().min(1).max(10_000).catch(1),
  /** The id of the item that the last action has changed. Links don't have it. */
  changed: z.string().optional().catch(undefined),
});
export type AccountView = Omit<z.infer<typeof accountView>, "changed">;

/** Returns the path of the page, or of an action. */
export const viewPath = (
  workspace: { id: string },
  account: string,
  { range, since, feature, users, changed }: Partial<z.infer<typeof accountView>>,
  ...action: string[]
): string =>
  withQuery(
    pathOf(workspace, "accounts", account, ...action),
    { range, since, feature, users: users?.toString(), changed },
    { range: "90", users: "1" },
  );

export const dayOfDate = (date: string): Day => Date.parse(date) / DAY_MS;

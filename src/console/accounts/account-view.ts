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
});
export type AccountView = z.infer<typeof accountView>;

/** Returns the path of the page, or of an action. */
export const viewPath = (
  workspace: { id: string },
  account: string,
  { range, since, feature, users }: Partial<AccountView>,
  ...action: string[]
): string =>
  withQuery(
    pathOf(workspace, "accounts", account, ...action),
    { range, since, feature, users: users?.toString() },
    { range: "90", users: "1" },
  );

export const dayOfDate = (date: string): Day => Date.parse(date) / DAY_MS;

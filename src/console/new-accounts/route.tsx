/** The page of new accounts. */
import { Hono } from "hono";
import * as z from "zod";

import { DEFAULT_PAGE_ROWS } from "../../config.ts";
import { DAY_MS } from "../../core/durations.ts";
import { STUCK_DAYS } from "../../core/health/first-steps.ts";
import type { AppEnv } from "../../edge/app-context.ts";
import { pageOf, readSortCursor } from "../../edge/cursor.ts";
import { operation } from "../../edge/request-log.ts";
import { readNewAccounts } from "../../db/accounts/new-accounts.ts";
import { hasScope } from "../../services/workspaces/api-keys.ts";
import { Page } from "../layout/page.tsx";
import { NewAccounts } from "./new-accounts.tsx";

const query = z.object({
  show: z.enum(["all", "stuck"]).catch("all"),
  cursor: z.string().optional().catch(undefined),
});

export const newAccountsPages = new Hono<AppEnv>().get("/", operation("console_new_accounts"), async (c) => {
  const workspace = c.get("workspace");
  const { show, cursor } = query.parse(c.req.query());
  const today = Math.floor(Date.now() / DAY_MS);
  const list = ["new accounts", workspace.id, show];
  const after = readSortCursor(list, cursor) ?? null;
  const { accounts, coreFeatures } = await readNewAccounts(c.env, workspace, {
    today,
    minAge: show === "stuck" ? STUCK_DAYS : 0,
    after,
    limit: DEFAULT_PAGE_ROWS + 1,
    withIdentity: hasScope(workspace, "identity"),
  });
  const { page, nextCursor } = pageOf(accounts, DEFAULT_PAGE_ROWS, list, (each) => [each.firstSeenAt, each.number]);
  return c.html(
    <Page c={c} title="New accounts" tab="accounts">
      <NewAccounts
        {...{ workspace, show, today, coreFeatures, nextCursor }}
        accounts={page}
        isFirstPage={after === null}
      />
    </Page>,
  );
});

/** The page of one account, and the actions on it. */
import { Hono } from "hono";

import { DAY_MS } from "../../core/durations.ts";
import { DISMISS_REASONS } from "../../core/inbox/marks.ts";
import { snoozedUntil } from "../../core/inbox/snooze-times.ts";
import { HISTORY_DAYS } from "../../db/accounts/account-details.ts";
import { readAccountPage } from "../../db/accounts/account-page.ts";
import { markOwner } from "../../db/accounts/owners.ts";
import { type Mark, markItem } from "../../db/inbox/marks.ts";
import { userNameOf } from "../../edge/actor-name.ts";
import type { AppContext, AppEnv } from "../../edge/app-context.ts";
import { operation } from "../../edge/request-log.ts";
import { hasScope } from "../../services/workspaces/api-keys.ts";
import { rangeOf } from "../charts/range.tsx";
import { accountName } from "../components/format.ts";
import { MAX_OWNER_CHARACTERS } from "../forms/fields.tsx";
import { ownerOrNone } from "../forms/owner-form.ts";
import { readForm } from "../forms/read-form.ts";
import { notFoundPage } from "../layout/error-pages.tsx";
import { Page } from "../layout/page.tsx";
import { requireScope } from "../session/guards.ts";
import { AccountPage } from "./account-page.tsx";
import { userPage } from "./account-usage.tsx";
import { accountView, dayOfDate, viewPath } from "./account-view.ts";
import type { OwnerFormProps } from "./owner-form.tsx";

export const accountPages = new Hono<AppEnv>()
  .get("/:account", operation("console_account"), (c) => accountPage(c, c.req.param("account")))
  .post("/:account/owner", operation("console_set_owner"), requireScope("inbox"), async (c) => {
    const workspace = c.get("workspace");
    const id = c.req.param("account");
    const { owner } = await readForm(c);
    const form = ownerOrNone.safeParse(owner);
    if (!form.success) {
      const error = `“Owner” must be one line of at most ${MAX_OWNER_CHARACTERS} characters.`;
      return accountPage(c, id, { entered: String(owner), error });
    }
    const account = await markOwner(c.env, workspace, id, form.data, actOf(c));
    return account === null ? noSuchAccount(c) : backTo(c, account.id);
  })
  .post("/:account/items/:item/dismiss", operation("console_dismiss_item"), requireScope("inbox"), async (c) => {
    const { reason } = await readForm(c);
    return mark(c, c.req.param(), { dismissed: true, reason: DISMISS_REASONS.find((each) => each === reason) });
  })
  .post("/:account/items/:item/snooze", operation("console_snooze_item"), requireScope("inbox"), (c) =>
    mark(c, c.req.param(), { snoozedUntil: snoozedUntil("monday", c.get("workspace").timezone, Date.now()) }),
  )
  .post("/:account/items/:item/dismiss/undo", operation("console_undo_dismissal"), requireScope("inbox"), (c) =>
    mark(c, c.req.param(), { dismissed: false }),
  )
  .post("/:account/items/:item/snooze/undo", operation("console_undo_snooze"), requireScope("inbox"), (c) =>
    mark(c, c.req.param(), { snoozedUntil: null }),
  );

const actOf = (c: AppContext) => ({ by: userNameOf(c.get("workspace").user), at: Date.now() });

const noSuchAccount = (c: AppContext) => notFoundPage(c, "This account does not exist.");

const backTo = (c: AppContext, account: string, changed?: string): Response =>
  c.redirect(viewPath(c.get("workspace"), account, { ...accountView.parse(c.req.query()), changed }), 303);

async function mark(c: AppContext, { account, item }: { account: string; item: string }, change: Mark) {
  const marked = await markItem(c.env, c.get("workspace"), item, change, { ...actOf(c), withIdentity: false });
  return marked === null ? notFoundPage(c, "This item does not exist.") : backTo(c, account, item);
}

async function accountPage(c: AppContext, id: string, refused?: OwnerFormProps["refused"]) {
  const workspace = c.get("workspace");
  const { changed, ...asked } = accountView.parse(c.req.query());
  const now = Date.now();
  const today = Math.floor(now / DAY_MS);
  const sinceError =
    asked.since !== undefined && dayOfDate(asked.since) >= today ? "“Since” must be a day before today." : undefined;
  const view = sinceError === undefined ? asked : { ...asked, since: undefined };
  const range = rangeOf(view.range, today);
  const since = view.since === undefined ? range.from - 1 : dayOfDate(view.since);
  const account = await readAccountPage(c.env, workspace, id, {
    now,
    withIdentity: hasScope(workspace, "identity"),
    withOwners: hasScope(workspace, "inbox"),
    // The timeline has changes of health of as many days, whatever the charts show.
    from: Math.min(range.from, today - HISTORY_DAYS),
    feature: view.feature,
    changes: {
      since,
      to: since < range.to ? range.to : today - 1,
      mayBeginLater: view.since === undefined,
    },
    users: userPage(view.users),
  });
  if (account === null) return noSuchAccount(c);
  return c.html(
    <Page c={c} title={accountName(account)} tab="accounts" hasCharts>
      <AccountPage {...{ workspace, account, view, range, today, sinceError, changed, ...(refused && { refused }) }} />
    </Page>,
    refused === undefined && sinceError === undefined ? 200 : 400,
  );
}

/** Queues the digests that are due, and says what one contains. */
import { dateOf } from "../../core/health/texts.ts";
import type { Day } from "../../core/health/model.ts";
import { nextDigestAt } from "../../core/notify/digest-times.ts";
import { ratesOf } from "../../core/rates.ts";
import { insertDigest, listDueDigests, readDigestItems, readTimezones } from "../../db/destinations/digests.ts";
import type { Notification } from "../../db/destinations/deliveries.ts";
import { findWorkspace } from "../../db/workspaces/find-workspace.ts";
import type { StoredItem } from "../../db/inbox/list-items.ts";
import { isoDate } from "../present/iso.ts";
import { presentItem } from "../present/present-item.ts";
import { type Content, formatMrr, messageOf, type Reading } from "./content.ts";

/** The most items that a list shows. */
const MAX_SHOWN = 20;

/** Puts the digests that are due in a database into the outbox. */
export async function queueDigests(env: Env, database: string, now: number): Promise<void> {
  const due = await listDueDigests(env, database, now);
  if (due.length === 0) return;
  const timezones = await readTimezones(
    env,
    due.map(({ workspace }) => workspace),
  );
  for (const each of due) {
    const timezone = timezones.get(each.workspace);
    // The directory may have lost a workspace in a restore.
    if (timezone === undefined) continue;
    await insertDigest(env, database, each, { now, nextDueAt: nextDigestAt(each.digest, timezone, now) });
  }
}

/** Reads a digest when it is sent. */
export async function readDigestContent(reading: Reading, { day: to, change }: Notification): Promise<Content> {
  const { env, workspace, destination, now } = reading;
  const from = Number(change);
  const settings = await findWorkspace(env, workspace.id);
  const { filter, includeIdentity: withIdentity } = destination;
  const options = { filter, withIdentity, rates: ratesOf(settings ?? {}), now };
  const lists = listsOf(await readDigestItems(env, workspace, { from, to }, options), from, to);
  const dates = from === to ? dateOf(to) : `${dateOf(from)} to ${dateOf(to)}`;
  const presented = lists.map(({ name, items }) => {
    return [name, { count: items.length, items: items.slice(0, MAX_SHOWN).map(presentEntry) }] as const;
  });
  return {
    data: { digest: { from: isoDate(from), to: isoDate(to), ...Object.fromEntries(presented) } },
    message: messageOf(reading, "inbox", {
      title: `Customer health, ${dates}`,
      paragraphs: [lists.map(({ title, items }) => `${title}: ${items.length}.`).join(" ")],
      groups: lists
        .filter(({ items }) => items.length > 0)
        .map(({ title, items }) => ({
          title: `${title} (${items.length})`,
          count: items.length,
          lines: items.slice(0, MAX_SHOWN).map(lineOf),
        })),
    }),
  };
}

const isRenewal = ({ kind }: StoredItem) => kind === "renewal_at_risk";

function listsOf(items: readonly StoredItem[], from: Day, to: Day) {
  const isIn = (day: Day | null) => day !== null && day >= from && day <= to;
  // What opened and was withdrawn on the same days was no news.
  const news = items.filter(({ openedDay, resolution }) => !(isIn(openedDay) && resolution === "withdrawn"));
  const open = news.filter(({ resolvedDay }) => resolvedDay === null);
  return [
    { name: "opened", title: "Opened", items: news.filter(({ openedDay }) => isIn(openedDay)) },
    { name: "resolved", title: "Resolved", items: news.filter(({ resolvedDay }) => isIn(resolvedDay)) },
    { name: "stillOpen", title: "Still open", items: open.filter((item) => item.openedDay < from && !isRenewal(item)) },
    { name: "renewalsAtRisk", title: "Renewals at risk", items: open.filter(isRenewal) },
  ];
}

/** An item without its evidence and its advice, with the account's MRR. */
function presentEntry(stored: StoredItem) {
  const { id, kind, severity, account, title, since, resolvedAt, resolution } = presentItem(stored);
  const { mrr, currency } = stored;
  return { id, kind, severity, account, title, since, resolvedAt, resolution, mrr, currency };
}

function lineOf(stored: StoredItem): string {
  const mrr = formatMrr(stored.mrr, stored.currency);
  const { title } = presentItem(stored);
  return mrr === null ? title : `${title} (${mrr})`;
}

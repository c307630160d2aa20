/** Queues the digests that are due, and says what one contains. */
import { dateOf } from "../../core/health/texts.ts";
import type { Day } from "../../core/health/model.ts";
import { isOpportunity } from "../../core/inbox/kind-names.ts";
import { nextDigestAt } from "../../core/notify/digest-times.ts";
import { insertDigest, listDueDigests, readDigestItems, readTimezones } from "../../db/destinations/digests.ts";
import type { Notification } from "../../db/destinations/deliveries.ts";
import type { StoredItem } from "../../db/inbox/list-items.ts";
import { isoDate } from "../present/iso.ts";
import { presentItem } from "../present/present-item.ts";
import { type Content, formatMrr, messageOf, readSettings, type Reading } from "./content.ts";
import { openLine, resolvedLine } from "./item-texts.ts";

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
  const { name: workspaceName, rates } = await readSettings(reading);
  const { filter, includeIdentity: withIdentity } = destination;
  const items = await readDigestItems(env, workspace, { from, to }, { filter, withIdentity, rates, now });
  const lists = listsOf(items, from, to);
  const dates = from === to ? dateOf(to) : `${dateOf(from)} to ${dateOf(to)}`;
  const presented = lists.map((list) => {
    return [list.name, { count: list.items.length, items: list.items.slice(0, MAX_SHOWN).map(presentEntry) }] as const;
  });
  const filled = lists.filter((list) => list.items.length > 0);
  const counts = filled.map((list) => `${list.title}: ${list.items.length}.`).join(" ") || "Nothing is open.";
  return {
    data: { digest: { from: isoDate(from), to: isoDate(to), ...Object.fromEntries(presented) } },
    message: messageOf(reading, "inbox", {
      title: `Customer health of ${workspaceName}, ${dates}`,
      paragraphs: [counts, ...totalOf(items.filter((item) => item.openedDay <= to && isOpenRisk(item, now)))],
      groups: filled.map((list) => ({
        title: `${list.title} (${list.items.length})`,
        count: list.items.length,
        lines: list.items.slice(0, MAX_SHOWN).map(list.name === "resolved" ? resolvedLine : openLine),
      })),
    }),
  };
}

const isOpenRisk = ({ kind, resolvedDay, dismissedAt, snoozedUntil }: StoredItem, now: number): boolean =>
  !isOpportunity(kind) && resolvedDay === null && dismissedAt === null && (snoozedUntil ?? 0) <= now;

/** Adds up the MRR of the accounts of items, each account once. @returns a sentence, or nothing without an MRR */
function totalOf(items: readonly StoredItem[]): string[] {
  const accounts = new Map(items.map((item) => [item.account?.id, item]));
  const totals = new Map<string | null, number>();
  for (const { mrr, currency } of accounts.values())
    if (mrr !== null) totals.set(currency, (totals.get(currency) ?? 0) + mrr);
  const amounts = Array.from(totals, ([currency, mrr]) => formatMrr(mrr, currency) ?? "");
  return amounts.length === 0 ? [] : [`MRR of accounts with open risks: ${amounts.join(", ")}.`];
}

const isRenewal = ({ kind }: StoredItem) => kind === "renewal_at_risk";

/** Risks come before opportunities in each list. What was resolved on these days is in no other list. */
function listsOf(sorted: readonly StoredItem[], from: Day, to: Day) {
  const items = sorted.toSorted((a, b) => Number(isOpportunity(a.kind)) - Number(isOpportunity(b.kind)));
  const isIn = (day: Day | null) => day !== null && day >= from && day <= to;
  // What opened and was withdrawn on the same days was no news.
  const news = items.filter(({ openedDay, resolution }) => !(isIn(openedDay) && resolution === "withdrawn"));
  const open = news.filter(({ resolvedDay }) => resolvedDay === null);
  return [
    {
      name: "opened",
      title: "Opened",
      items: news.filter(({ openedDay, resolvedDay }) => isIn(openedDay) && !isIn(resolvedDay)),
    },
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

/** Queues the digests that are due, and says what one contains. */
import { dateOf } from "../../core/health/texts.ts";
import { nextDigestAt } from "../../core/notify/digest-times.ts";
import { ratesOf } from "../../core/rates.ts";
import { type Digest, insertDigest, listDueDigests, readDigest, readTimezones } from "../../db/destinations/digests.ts";
import type { Notification } from "../../db/destinations/deliveries.ts";
import { findWorkspace } from "../../db/workspaces/find-workspace.ts";
import type { StoredItem } from "../../db/inbox/list-items.ts";
import { isoDate } from "../present/iso.ts";
import { presentItem } from "../present/present-item.ts";
import { type Content, formatMrr, messageOf, type Reading } from "./content.ts";

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
  const rates = ratesOf(settings ?? {});
  const digest = await readDigest(env, workspace, { from, to }, { filter, withIdentity, rates, now });
  const lists = LISTS.map(([name, title]) => ({ name, title, ...digest[name] }));
  const dates = from === to ? dateOf(to) : `${dateOf(from)} to ${dateOf(to)}`;
  const presented = lists.map(({ name, count, items }) => [name, { count, items: items.map(presentEntry) }]);
  return {
    data: { digest: { from: isoDate(from), to: isoDate(to), ...Object.fromEntries(presented) } },
    message: messageOf(reading, "inbox", {
      title: `Customer health, ${dates}`,
      text: lists.map(({ title, count }) => `${title}: ${count}.`).join(" "),
      groups: lists
        .filter(({ count }) => count > 0)
        .map(({ title, count, items }) => ({ title: `${title} (${count})`, count, lines: items.map(lineOf) })),
    }),
  };
}

const LISTS = [
  ["opened", "Opened"],
  ["resolved", "Resolved"],
  ["stillOpen", "Still open"],
  ["renewalsAtRisk", "Renewals at risk"],
] as const satisfies [keyof Digest, string][];

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

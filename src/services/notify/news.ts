/** Says what has happened to items and accounts, one by one or in a summary. */
import { ERASED_NAME } from "../../core/erased-name.ts";
import { HEALTH_STATES } from "../../core/health/model.ts";
import { counted, dateOf, describeReasons, inFigures, STATE_NAMES } from "../../core/health/texts.ts";
import type { SubscribedEvent } from "../../core/notify/model.ts";
import type { StoredAccount } from "../../db/accounts/list-accounts.ts";
import type { Notification } from "../../db/destinations/deliveries.ts";
import { readSubjects, readSummarized, type Subjects } from "../../db/destinations/subjects.ts";
import type { StoredItem } from "../../db/inbox/list-items.ts";
import { isoDate } from "../present/iso.ts";
import { presentAccount } from "../present/present-account.ts";
import { presentItem } from "../present/present-item.ts";
import { type Content, factsOf, formatMrr, lineOf, messageOf, readSettings, type Reading } from "./content.ts";
import { openLine, resolvedLine, resolvedText, resolvedTitle, severityName } from "./item-texts.ts";

/** @returns `null` if the item or the account is gone */
export async function readNews(reading: Reading, notification: Notification): Promise<Content | null> {
  const { env, workspace, destination } = reading;
  const subjects = await readSubjects(env, workspace, [notification], destination.includeIdentity);
  return newsOf(reading, notification, subjects);
}

function newsOf(reading: Reading, notification: Notification, subjects: Subjects): Content | null {
  const { type, subject } = notification;
  if (type === "health.changed") {
    const account = subjects.accounts.get(subject);
    return account === undefined ? null : healthContent(reading, notification, account);
  }
  const item = subjects.items.get(subject);
  return item === undefined ? null : itemContent(reading, type === "inbox.opened", item);
}

function itemContent(reading: Reading, isOpened: boolean, stored: StoredItem): Content {
  const item = presentItem(stored);
  const company = stored.identity?.company;
  return {
    data: { item, ...(company !== undefined && { identity: { company } }) },
    message: messageOf(reading, `inbox?show=${item.id}`, {
      title: isOpened ? item.title : `Resolved: ${resolvedTitle(stored)}`,
      paragraphs: isOpened ? [item.why, `What to do: ${item.suggestedAction}`] : [resolvedText(stored)],
      facts: factsOf({
        Severity: severityName(item.severity),
        Since: isOpened ? dateOf(stored.openedDay) : null,
        MRR: formatMrr(stored.mrr, stored.currency),
        Owner: stored.owner,
      }),
    }),
  };
}

function stateName(code: string): string {
  const state = HEALTH_STATES.find((each) => each === code);
  return state === undefined ? code : STATE_NAMES[state];
}

function healthTitle({ change, detail }: Notification, account: StoredAccount): string {
  const name = account.identity?.company ?? account.externalId ?? ERASED_NAME;
  return `The health of ${name} changed from ${stateName(String(detail))} to ${stateName(change)}`;
}

const mrrOf = ({ attributes }: StoredAccount) => formatMrr(attributes["mrr"], attributes["currency"]);

const healthLine = (change: Notification, account: StoredAccount): string =>
  lineOf(healthTitle(change, account), mrrOf(account), account.owner);

function healthContent(reading: Reading, notification: Notification, stored: StoredAccount): Content {
  const { change, detail, day } = notification;
  const score = stored.health?.score;
  return {
    data: { account: presentAccount(stored), change: { from: String(detail), to: change, date: isoDate(day) } },
    message: messageOf(reading, `accounts/${stored.id}`, {
      title: healthTitle(notification, stored),
      // Scores may have changed since.
      paragraphs: stored.health?.state === change ? describeReasons(stored.health.reasons).slice(0, 1) : [],
      facts: factsOf({
        Score: score == null ? null : inFigures(score),
        Since: dateOf(day),
        MRR: mrrOf(stored),
        Owner: stored.owner,
      }),
    }),
  };
}

/** Says what several notifications would say, the largest MRR first. @returns `null` if all subjects are gone */
export async function readSummary(reading: Reading, summary: Notification): Promise<Content | null> {
  const { env, workspace, destination } = reading;
  const [{ name, rates }, replaced] = [await readSettings(reading), await readSummarized(env, workspace, summary)];
  const subjects = await readSubjects(env, workspace, replaced, destination.includeIdentity, rates);
  const news = Map.groupBy(replaced, ({ type, subject }) => `${type} ${subject}`);
  const about = (type: SubscribedEvent, { number }: { number: number }) => news.get(`${type} ${number}`) ?? [];
  const [items, accounts] = [[...subjects.items.values()], [...subjects.accounts.values()]];
  const lists = {
    Opened: items.flatMap((item) => about("inbox.opened", item).map(() => openLine(item))),
    Resolved: items.flatMap((item) => about("inbox.resolved", item).map(() => resolvedLine(item))),
    Health: accounts.flatMap((account) =>
      about("health.changed", account).map((change) => healthLine(change, account)),
    ),
  };
  const filled = Object.entries(lists).filter(([, lines]) => lines.length > 0);
  const count = filled.reduce((sum, [, lines]) => sum + lines.length, 0);
  if (count === 0) return null;
  const groups = filled.map(([title, lines]) => ({ title: `${title} (${lines.length})`, lines, count: lines.length }));
  return {
    data: {},
    message: messageOf(reading, "inbox", { title: `${counted(count, "change")} in ${name}`, groups }),
  };
}

/** Says what has happened to items and accounts, one by one or in a summary. */
import { ERASED_NAME } from "../../core/erased-name.ts";
import { HEALTH_STATES } from "../../core/health/model.ts";
import { dateOf, describeReasons, inFigures, STATE_NAMES } from "../../core/health/texts.ts";
import type { StoredAccount } from "../../db/accounts/list-accounts.ts";
import type { Notification } from "../../db/destinations/deliveries.ts";
import { readSubjects, readSummarized, type Subjects } from "../../db/destinations/subjects.ts";
import type { StoredItem } from "../../db/inbox/list-items.ts";
import { isoDate } from "../present/iso.ts";
import { presentAccount } from "../present/present-account.ts";
import { presentItem } from "../present/present-item.ts";
import {
  type Content,
  factsOf,
  formatMrr,
  messageOf,
  type Reading,
  resolvedText,
  resolvedTitle,
  severityName,
} from "./content.ts";

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

function healthContent(reading: Reading, { change, detail, day }: Notification, stored: StoredAccount): Content {
  const name = stored.identity?.company ?? stored.externalId ?? ERASED_NAME;
  const from = String(detail);
  const score = stored.health?.score;
  return {
    data: { account: presentAccount(stored), change: { from, to: change, date: isoDate(day) } },
    message: messageOf(reading, `accounts/${stored.id}`, {
      title: `The health of ${name} changed from ${stateName(from)} to ${stateName(change)}`,
      // Scores may have changed since.
      paragraphs: stored.health?.state === change ? describeReasons(stored.health.reasons).slice(0, 1) : [],
      facts: factsOf({
        Score: score == null ? null : inFigures(score),
        Since: dateOf(day),
        MRR: formatMrr(stored.attributes["mrr"], stored.attributes["currency"]),
        Owner: stored.owner,
      }),
    }),
  };
}

/** Says in one message what several notifications would say. @returns `null` if all subjects are gone */
export async function readSummary(reading: Reading, summary: Notification): Promise<Content | null> {
  const { env, workspace, destination } = reading;
  const replaced = await readSummarized(env, workspace, summary);
  const subjects = await readSubjects(env, workspace, replaced, destination.includeIdentity);
  const groups = Object.entries(GROUPS).flatMap(([type, title]) => {
    const news = replaced.filter((each) => each.type === type).map((each) => newsOf(reading, each, subjects));
    const lines = news.flatMap((each) => (each === null ? [] : [lineOf(each)]));
    return lines.length === 0 ? [] : [{ title, lines, count: lines.length }];
  });
  const count = groups.reduce((sum, group) => sum + group.count, 0);
  if (count === 0) return null;
  return { data: {}, message: messageOf(reading, "inbox", { title: `${count} changes`, groups }) };
}

const GROUPS = { "inbox.opened": "Opened", "inbox.resolved": "Resolved", "health.changed": "Health" } as const;

function lineOf({ message }: Content): string {
  const mrr = message.facts.find(([label]) => label === "MRR")?.[1];
  return mrr === undefined ? message.title : `${message.title} (${mrr})`;
}

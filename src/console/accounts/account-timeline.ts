/** The account's timeline: changes of attributes, health and items, and what people did, by day, latest first. */
import { DAY_MS } from "../../core/durations.ts";
import type { Day } from "../../core/health/model.ts";
import { inFigures } from "../../core/health/texts.ts";
import { typedKeys } from "../../core/typed-keys.ts";
import type { AccountDetails } from "../../db/accounts/account-details.ts";
import type { Tone } from "../components/elements.tsx";
import { formatMinute } from "../components/format.ts";
import { nameOfActor } from "../components/format.ts";
import { truncate } from "../components/truncate.ts";
import { describeResolution } from "../../core/inbox/kind-names.ts";
import { itemTexts } from "../inbox/item-labels.ts";
import { ATTRIBUTES, type ShownAttributes, formatAttribute, STATES } from "./labels.ts";

interface TimelineEntry {
  day: Day;
  text: string;
  tone: Tone;
  /** Whether only the team may read it: work on the account, and what people wrote about it. */
  isInternal?: boolean;
}

const MAX_TEXT_CHARACTERS = 300;

export function timelineOf(account: AccountDetails): TimelineEntry[] {
  const { firstSeenAt, lastSeenAt } = account;
  const entries: TimelineEntry[] = [
    { day: dayOf(firstSeenAt), text: "First seen.", tone: "accent" },
    ...attributeChanges(account),
    ...stateChanges(account),
    ...[...itemChanges(account), ...peoplesActivities(account)].map((entry) => ({ ...entry, isInternal: true })),
    ...(lastSeenAt === null ? [] : [{ day: dayOf(lastSeenAt), text: "Latest event.", tone: "accent" as const }]),
  ];
  // Reversing a stable sort puts later entries of the same day first.
  return entries
    .toSorted((a, b) => a.day - b.day)
    .toReversed()
    .map((entry) => ({ ...entry, text: truncate(entry.text, MAX_TEXT_CHARACTERS) }));
}

function* attributeChanges({ changes }: AccountDetails): Generator<TimelineEntry> {
  let before: ShownAttributes = {};
  for (const [day, values] of changes) {
    const after: ShownAttributes = { ...before, ...values };
    const known = before;
    const texts = typedKeys(ATTRIBUTES)
      .filter((name) => (after[name] ?? null) !== (known[name] ?? null))
      .map((name) => {
        const text = `${ATTRIBUTES[name]}: ${formatAttribute(name, after)}`;
        return known[name] == null ? text : `${text} (was ${formatAttribute(name, known)})`;
      });
    if (texts.length > 0) yield { day, text: `${texts.join("; ")}.`, tone: "none" };
    before = after;
  }
}

function* stateChanges({ history }: AccountDetails): Generator<TimelineEntry> {
  for (const [index, { day, state, score }] of history.entries()) {
    const before = history[index - 1]?.state;
    if (before === undefined || before === state) continue;
    const { name, tone } = STATES[state];
    const withScore = score === null ? "" : `, score ${inFigures(score)}`;
    yield { day, text: `Health: ${name} (was ${STATES[before].name})${withScore}.`, tone };
  }
}

function* itemChanges({ items }: AccountDetails): Generator<TimelineEntry> {
  const oldestFirst = items.toSorted((a, b) => a.openedDay - b.openedDay || a.number - b.number);
  for (const item of oldestFirst) {
    const { kind, openedDay, resolvedDay, resolution } = item;
    const { title } = itemTexts(item);
    // The last evidence of a renewal is how it ended.
    const wasOpen =
      kind === "renewal_at_risk" && resolution !== null ? { ...item, resolution: null, evidence: [] } : item;
    yield { day: openedDay, text: `${itemTexts(wasOpen).title}.`, tone: "watch" };
    if (resolvedDay === null) continue;
    const why = resolution === null ? "" : ` ${describeResolution(kind, resolution)}`;
    yield { day: resolvedDay, text: `Resolved: “${title}”.${why}`, tone: "good" };
  }
}

function* peoplesActivities({ activities, items }: AccountDetails): Generator<TimelineEntry> {
  const titles = new Map(items.map((item) => [item.number, `“${itemTexts(item).title}”`]));
  for (const { item, at, by, ...done } of activities.toReversed()) {
    const text = describeActivity(done, titles.get(item) ?? "an earlier item");
    yield { day: dayOf(at), text: `${nameOfActor(by)} ${text}`, tone: "accent" };
  }
}

type Done = Pick<AccountDetails["activities"][number], "action" | "detail">;

/** @param item its title */
function describeActivity({ action, detail }: Done, item: string): string {
  switch (action) {
    case "contacted":
      return `contacted the account about ${item}.`;
    case "note":
      if (detail === null) return `wrote about ${item}.`;
      return detail === "" ? `removed the note about ${item}.` : `wrote about ${item}: ${detail}`;
    case "owner":
      return detail === null ? "removed the owner." : `made ${truncate(detail)} the owner.`;
    case "dismissed":
      return `dismissed ${item}${detail === null ? "" : `: ${detail.replaceAll("_", " ")}`}.`;
    case "snoozed":
      return `snoozed ${item} until ${formatMinute(Date.parse(detail ?? ""))} UTC.`;
    case "reopened":
      return `reopened ${item}.`;
    default:
      return action satisfies never;
  }
}

const dayOf = (ms: number): Day => Math.floor(ms / DAY_MS);

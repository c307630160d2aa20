/** The account's timeline: changes of attributes, health and items by day, latest first. */
import { DAY_MS } from "../../core/durations.ts";
import type { Day } from "../../core/health/model.ts";
import { inFigures } from "../../core/health/texts.ts";
import { typedKeys } from "../../core/typed-keys.ts";
import type { AccountDetails } from "../../db/accounts/account-details.ts";
import type { Tone } from "../components/elements.tsx";
import { truncate } from "../components/truncate.ts";
import { RESOLUTION_TEXTS } from "../../core/inbox/kind-names.ts";
import { itemTexts } from "../inbox/item-labels.ts";
import { ATTRIBUTES, type ShownAttributes, formatAttribute, STATES } from "./labels.ts";

interface TimelineEntry {
  day: Day;
  text: string;
  tone: Tone;
}

const MAX_TEXT_CHARACTERS = 300;

export function timelineOf(account: AccountDetails): TimelineEntry[] {
  const { firstSeenAt, lastSeenAt } = account;
  const entries = [
    { day: dayOf(firstSeenAt), text: "First seen.", tone: "accent" as const },
    ...attributeChanges(account),
    ...stateChanges(account),
    ...itemChanges(account),
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
    const { title } = itemTexts(item);
    const { openedDay, resolvedDay, resolution } = item;
    yield { day: openedDay, text: `${title}.`, tone: "watch" };
    if (resolvedDay === null) continue;
    const why = resolution === null ? "" : ` ${RESOLUTION_TEXTS[resolution]}`;
    yield { day: resolvedDay, text: `Resolved: “${title}”.${why}`, tone: "good" };
  }
}

const dayOf = (ms: number): Day => Math.floor(ms / DAY_MS);

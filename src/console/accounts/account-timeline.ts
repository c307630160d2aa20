/** What has happened to an account, as far as it is kept: by day, the latest first. */
import { DAY_MS } from "../../core/durations.ts";
import type { Day } from "../../core/health/model.ts";
import { inFigures } from "../../core/health/texts.ts";
import type { AccountStory } from "../../services/accounts.ts";
import { presentItem } from "../../edge/present/item.ts";
import { RESOLUTION_NAMES } from "../inbox/item-words.ts";
import { shortlyNamed } from "../inbox/truncate-names.ts";
import type { Tone } from "../components/elements.tsx";
import { shortened } from "../components/truncate.ts";
import { type AttributeValues, ATTRIBUTES, attributeText, type Attribute } from "./account-words.ts";
import { STATES } from "./health-words.ts";

export interface Happening {
  day: Day;
  text: string;
  tone: Tone;
}

const MAX_HAPPENINGS = 60;
const MAX_TEXT_CHARACTERS = 300;

export function timelineOf(story: AccountStory): Happening[] {
  const { firstSeenAt, lastSeenAt } = story;
  const happened = [
    { day: dayOf(firstSeenAt), text: "First heard of.", tone: "accent" as const },
    ...attributeChanges(story),
    ...stateChanges(story),
    ...itemsOf(story),
    ...(lastSeenAt === null
      ? []
      : [{ day: dayOf(lastSeenAt), text: "Its last event so far.", tone: "accent" as const }]),
  ];
  // Of one day what is told later came later.
  return happened
    .toSorted((a, b) => a.day - b.day)
    .toReversed()
    .slice(0, MAX_HAPPENINGS)
    .map((one) => ({ ...one, text: shortened(one.text, MAX_TEXT_CHARACTERS) }));
}

function* attributeChanges({ changes }: AccountStory): Generator<Happening> {
  let before: AttributeValues = {};
  for (const { day, values } of changes) {
    const after: AttributeValues = { ...before, ...values };
    const known = before;
    const texts = Object.keys(ATTRIBUTES)
      .filter(isAttribute)
      .filter((name) => (after[name] ?? null) !== (known[name] ?? null))
      .map((name) => {
        const text = `${ATTRIBUTES[name]}: ${attributeText(name, after)}`;
        return known[name] == null ? text : `${text} (was ${attributeText(name, known)})`;
      });
    if (texts.length > 0) yield { day, text: `${texts.join("; ")}.`, tone: "none" };
    before = after;
  }
}

const isAttribute = (name: string): name is Attribute => Object.hasOwn(ATTRIBUTES, name);

function* stateChanges({ history }: AccountStory): Generator<Happening> {
  for (const [place, { day, state, score }] of history.entries()) {
    const before = history[place - 1]?.state;
    if (before === undefined || before === state) continue;
    const { name, tone } = STATES[state];
    const scored = score === null ? "" : `, with a score of ${inFigures(score)}`;
    yield { day, text: `Health: ${name} (was ${STATES[before].name})${scored}.`, tone };
  }
}

function* itemsOf({ items }: AccountStory): Generator<Happening> {
  for (const stored of items.toReversed()) {
    const { title } = presentItem(shortlyNamed(stored));
    const { openedDay, resolvedDay, resolution } = stored.item;
    yield { day: openedDay, text: `${title}.`, tone: "watch" };
    if (resolvedDay === null) continue;
    const why = resolution === null ? "" : ` ${RESOLUTION_NAMES[resolution]}`;
    yield { day: resolvedDay, text: `Closed: “${title}”.${why}`, tone: "good" };
  }
}

const dayOf = (ms: number): Day => Math.floor(ms / DAY_MS);

/** Tests rules on given measures. Measures that a test does not give are those of a healthy account. */
import { calendarOf } from "../../../src/core/health/business-days.ts";
import { contractionsOf } from "../../../src/core/health/contraction.ts";
import { isDrop } from "../../../src/core/health/trend.ts";
import type { AccountMeasures } from "../../../src/core/health/measures.ts";
import {
  type AttributeChange,
  type AttributeValues,
  type Day,
  type HealthDay,
  noContext,
  type SenderSilence,
  type Silence,
  type Stage,
  type UsageComparison,
  type Window,
  type WorkspaceContext,
} from "../../../src/core/health/model.ts";
import type { InboxItem, ItemKind } from "../../../src/core/inbox/model.ts";
import { advanceAccountItems } from "../../../src/core/inbox/advance-day.ts";

export const DAY_MS = 86_400_000;
/** The scored day, unless a test says otherwise. `MOMENT` is its end. */
export const DAY = 20_600;
export const MOMENT = (DAY + 1) * DAY_MS;
const WINDOW: Window = { from: DAY - 27, to: DAY };

type Results = { [Name in Exclude<keyof AccountMeasures, "history">]: ReturnType<AccountMeasures[Name]> };

/** Measures that a test gives as they are. `activeDays` counts 7 days. */
type GivenResults = Pick<
  Results,
  | ("attributes" | "tenure" | "activeDaysEver" | "activeDays" | "silence" | "trend" | "ownBest" | "activeUsers")
  | ("growth" | "keyUsers" | "droppedFeatures" | "featureDays")
>;

/** The measures of one day. */
export interface Given extends GivenResults, Pick<WorkspaceContext, "outages" | "mrr" | "senderDoubtful"> {
  kind: "company" | "solo";
  stage: Stage;
  senderSilence: SenderSilence | null;
  /** In the last 5 business days. `null`: 5, or 0 during silence. */
  activeOfFive: number | null;
  /** Users who have returned, and users who have a successor. */
  usersBack: readonly number[];
  usersSucceeded: readonly number[];
  depth: number | null;
  health: Partial<HealthDay>;
}

export type Story = Partial<Given> | ((day: Day) => Partial<Given>);

const WELL: Given = {
  kind: "company",
  stage: "active",
  attributes: {},
  senderSilence: null,
  senderDoubtful: false,
  outages: [],
  mrr: {},
  tenure: 400,
  activeDaysEver: 200,
  activeDays: 5,
  activeOfFive: null,
  silence: { lastDay: DAY, gap: 0, threshold: 5, silent: false },
  trend: null,
  ownBest: null,
  activeUsers: 1,
  growth: null,
  keyUsers: [],
  usersBack: [],
  usersSucceeded: [],
  droppedFeatures: [],
  featureDays: 0,
  depth: null,
  health: {},
};

export function healthOn(story: Story, day: Day): HealthDay {
  const given = typeof story === "function" ? story(day) : story;
  return {
    day,
    state: "healthy",
    band: "healthy",
    score: 80,
    uncapped: 80,
    coverage: 1,
    confidence: "high",
    losses: [],
    ...given.health,
  };
}

export function measuresOfStory(story: Story): AccountMeasures {
  const days = new Map<Day, Given>();
  const given = (day: Day): Given => {
    const known = days.get(day) ?? { ...WELL, ...(typeof story === "function" ? story(day) : story) };
    days.set(day, known);
    return known;
  };
  return {
    history: {
      kind: given(DAY).kind,
      firstDay: DAY - 400,
      days: [],
      earlierDays: 0,
      attributes: attributeChanges((day) => given(day).attributes),
    },
    context: (day) => {
      const { senderSilence: silence, senderDoubtful, outages, mrr } = given(day);
      return { ...noContext(day), silence, senderDoubtful, outages, mrr };
    },
    attributes: (day) => given(day).attributes,
    stage: (day) => ({ stage: given(day).stage, known: true }),
    tenure: (day) => given(day).tenure,
    activeDaysEver: (day) => given(day).activeDaysEver,
    activeDays: (day) => given(day).activeDays,
    businessDaysSince: (day, since) => calendarOf([]).businessDays(since + 1, day),
    activeDaysInBusinessDays: (day) => given(day).activeOfFive ?? (given(day).silence?.silent === true ? 0 : 5),
    userDays: (day) => given(day).activeDays,
    silence: (day) => given(day).silence,
    trend: (day) => given(day).trend,
    drop: (day) => {
      const { trend } = given(day);
      return trend !== null && isDrop(trend) ? trend : null;
    },
    ownBest: (day) => given(day).ownBest,
    activeUsers: (day) => given(day).activeUsers,
    week: () => null,
    bestWeek: () => null,
    trial: () => null,
    contractions: (day) => contractionsOf((each) => given(each).attributes, day),
    singleUser: () => null,
    growth: (day) => given(day).growth,
    keyUsers: (day) => given(day).keyUsers,
    hasSuccessor: (day, user) => given(day).usersSucceeded.includes(user),
    droppedFeatures: (day) => given(day).droppedFeatures,
    featureDays: (day) => given(day).featureDays,
    userSeen: (day, user) => given(day).usersBack.includes(user),
    component: (day) => {
      const score = given(day).depth;
      return score === null ? null : { component: "depth", score, observed: 1, expected: 4, window: WINDOW };
    },
  };
}

/** Returns the changes in the 500 days around `DAY`. */
function attributeChanges(valuesOf: (day: Day) => AttributeValues): AttributeChange[] {
  const changes: AttributeChange[] = [];
  let before = "";
  for (let day = DAY - 250; day < DAY + 250; day += 1) {
    const values = valuesOf(day);
    const text = JSON.stringify(values);
    if (text !== before) changes.push([day, values]);
    before = text;
  }
  return changes;
}

/** Returns a function that advances items by a day. */
function stepper(story: Story): (items: readonly InboxItem[], day: Day) => InboxItem[] {
  const measures = measuresOfStory(story);
  const history = (day: Day): HealthDay => healthOn(story, day);
  return (items, day) => advanceAccountItems(items, measures, day, history(day), history);
}

/** Advances items by one day. */
export function step(story: Story, items: readonly InboxItem[] = [], day: Day = DAY): InboxItem[] {
  return stepper(story)(items, day);
}

/** Returns the items as of each day, both ends included. */
export function diary(story: Story, from: Day, to: Day, items: readonly InboxItem[] = []): InboxItem[][] {
  const stepOn = stepper(story);
  const pages: InboxItem[][] = [];
  for (let day = from; day <= to; day += 1) pages.push(stepOn(pages.at(-1) ?? items, day));
  return pages;
}

/** Returns the items as of the last day. */
export function replay(story: Story, from: Day, to: Day, items: readonly InboxItem[] = []): InboxItem[] {
  return diary(story, from, to, items).at(-1) ?? [...items];
}

/** Returns the kinds that open on one day without earlier items. */
export function opened(story: Story): ItemKind[] {
  return step(story).map(({ kind }) => kind);
}

/** Returns an item that opened five days ago. */
export function openItem(kind: ItemKind, values: Partial<InboxItem> = {}): InboxItem {
  return {
    kind,
    subject: "",
    occurrence: 1,
    openedDay: DAY - 5,
    confirmedDay: DAY - 5,
    resolvedDay: null,
    resolution: null,
    severity: "medium",
    confidence: "high",
    rank: 1,
    dueAt: null,
    evidence: [],
    ...values,
  };
}

/** Returns why the item closes on the next step; `null` if it stays open. */
export function closes(item: InboxItem, story: Story): InboxItem["resolution"] | undefined {
  return step(story, [item])[0]?.resolution;
}

export function compareUsage(observed: number, expected: number, z: number): UsageComparison {
  return { observed, expected, ratio: observed / expected, z, window: { from: DAY - 13, to: DAY } };
}

export function bestOf(ratio: number, z = -3.5): UsageComparison {
  return { observed: 100 * ratio, expected: 100, ratio, z, window: WINDOW };
}

export const SILENT: Silence = { lastDay: DAY - 9, gap: 7, threshold: 7, silent: true };
export const SENDER_OUT: SenderSilence = { lastDay: DAY - 4, gap: 3, threshold: 2 };
/** A drop that is not steep. */
export const DROP = compareUsage(24, 40, -2.5);

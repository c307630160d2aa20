/** An account whose measures are simply told, for the rules alone; what is not told is as of an account all is well with. */
import { isDrop } from "../../../src/core/health/drop.ts";
import type { DroppedFeature, KeyUser, Measures } from "../../../src/core/health/measures.ts";
import {
  type AttributeChange,
  type AttributeValues,
  type Day,
  type HealthDay,
  noContext,
  type OwnBest,
  type SenderSilence,
  type Silence,
  type Stage,
  type Trend,
  type Window,
  type WorkspaceContext,
} from "../../../src/core/health/model.ts";
import type { InboxItem, ItemKind } from "../../../src/core/inbox/model.ts";
import { stepInbox } from "../../../src/core/inbox/step.ts";

export const DAY_MS = 86_400_000;
/** The day that is judged unless a test says otherwise; its end is `MOMENT`. */
export const DAY = 20_600;
export const MOMENT = (DAY + 1) * DAY_MS;
const WINDOW: Window = { from: DAY - 27, to: DAY };

/** What is measured as of one day. */
export interface Told {
  kind: "company" | "solo";
  stage: Stage;
  attributes: AttributeValues;
  senderSilence: SenderSilence | null;
  senderDoubtful: boolean;
  outages: WorkspaceContext["outages"];
  mrr: WorkspaceContext["mrr"];
  tenure: number;
  activeDaysEver: number;
  /** Of the last 7 days. */
  activeDays: number;
  /** Since the first of the last 5 business days; `null`: as the silence has it. */
  activeOfFive: number | null;
  silence: Silence | null;
  trend: Trend | null;
  ownBest: OwnBest | null;
  activeUsers: number;
  growth: (Trend & { newUsers: number }) | null;
  keyUsers: readonly KeyUser[];
  /** Users that are back after they were last seen, and those that have a successor since. */
  usersBack: readonly number[];
  usersSucceeded: readonly number[];
  droppedFeatures: readonly DroppedFeature[];
  featureDays: number;
  depth: number | null;
  health: Partial<HealthDay>;
}

export type Story = Partial<Told> | ((day: Day) => Partial<Told>);

const WELL: Told = {
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
  const told = typeof story === "function" ? story(day) : story;
  return {
    day,
    state: "healthy",
    band: "healthy",
    score: 80,
    uncapped: 80,
    coverage: 1,
    confidence: "high",
    losses: [],
    ...told.health,
  };
}

export function measuresOfStory(story: Story): Measures {
  const days = new Map<Day, Told>();
  const told = (day: Day): Told => {
    const known = days.get(day) ?? { ...WELL, ...(typeof story === "function" ? story(day) : story) };
    days.set(day, known);
    return known;
  };
  return {
    history: {
      kind: told(DAY).kind,
      firstDay: DAY - 400,
      days: [],
      earlierDays: 0,
      attributes: attributeChanges((day) => told(day).attributes),
    },
    context: (day) => {
      const { senderSilence: silence, senderDoubtful, outages, mrr } = told(day);
      return { ...noContext(day), silence, senderDoubtful, outages, mrr };
    },
    attributes: (day) => told(day).attributes,
    stage: (day) => ({ stage: told(day).stage, known: true }),
    tenure: (day) => told(day).tenure,
    activeDaysEver: (day) => told(day).activeDaysEver,
    activeDays: (day) => told(day).activeDays,
    activeDaysInBusinessDays: (day) => told(day).activeOfFive ?? (told(day).silence?.silent === true ? 0 : 5),
    userDays: (day) => told(day).activeDays,
    silence: (day) => told(day).silence,
    trend: (day) => told(day).trend,
    drop: (day) => {
      const { trend } = told(day);
      return trend !== null && isDrop(trend) ? trend : null;
    },
    ownBest: (day) => told(day).ownBest,
    activeUsers: (day) => told(day).activeUsers,
    growth: (day) => told(day).growth,
    keyUsers: (day) => told(day).keyUsers,
    hasSuccessor: (day, user) => told(day).usersSucceeded.includes(user),
    droppedFeatures: (day) => told(day).droppedFeatures,
    featureDays: (day) => told(day).featureDays,
    userSeen: (day, user) => told(day).usersBack.includes(user),
    component: (day) => {
      const score = told(day).depth;
      return score === null ? null : { component: "depth", score, observed: 1, expected: 4, window: WINDOW };
    },
  };
}

/** Every change of the 500 days around `DAY`. */
function attributeChanges(valuesOf: (day: Day) => AttributeValues): AttributeChange[] {
  const changes: AttributeChange[] = [];
  let before = "";
  for (let day = DAY - 250; day < DAY + 250; day += 1) {
    const values = valuesOf(day);
    const text = JSON.stringify(values);
    if (text !== before) changes.push({ day, values });
    before = text;
  }
  return changes;
}

/** Takes items a day further, for as many days as one likes. */
function stepper(story: Story): (items: readonly InboxItem[], day: Day) => InboxItem[] {
  const measures = measuresOfStory(story);
  const history = (day: Day): HealthDay => healthOn(story, day);
  return (items, day) => stepInbox(items, measures, day, history(day), history);
}

/** One step. */
export function step(story: Story, items: readonly InboxItem[] = [], day: Day = DAY): InboxItem[] {
  return stepper(story)(items, day);
}

/** The items as of each day, both ends included. */
export function diary(story: Story, from: Day, to: Day, items: readonly InboxItem[] = []): InboxItem[][] {
  const stepOn = stepper(story);
  const pages: InboxItem[][] = [];
  for (let day = from; day <= to; day += 1) pages.push(stepOn(pages.at(-1) ?? items, day));
  return pages;
}

/** The items as of the last day. */
export function replay(story: Story, from: Day, to: Day, items: readonly InboxItem[] = []): InboxItem[] {
  return diary(story, from, to, items).at(-1) ?? [...items];
}

/** The kinds that one step from no item opens. */
export function opened(story: Story): ItemKind[] {
  return step(story).map(({ kind }) => kind);
}

/** An open item, of five days ago. */
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

/** Why one step closes the item, and `null` where it stays. */
export function closes(item: InboxItem, story: Story): InboxItem["resolution"] | undefined {
  return step(story, [item])[0]?.resolution;
}

export function trendOf(observed: number, expected: number, z: number): Trend {
  return { observed, expected, ratio: observed / expected, z, window: { from: DAY - 13, to: DAY } };
}

export function bestOf(ratio: number, z = -3.5): OwnBest {
  return { observed: 100 * ratio, best: 100, ratio, z, window: WINDOW };
}

export const SILENT: Silence = { lastDay: DAY - 9, gap: 7, threshold: 7, silent: true };
export const SENDER_OUT: SenderSilence = { lastDay: DAY - 4, gap: 3, threshold: 2 };
/** A drop that is not steep. */
export const DROP = trendOf(24, 40, -2.5);

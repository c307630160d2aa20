/** A question with what is true of it. */
import type { Outcomes } from "../service/outcomes.ts";
import type { Random } from "../../simulator/random.ts";
import type { Span } from "../calendar.ts";
import type { Account, Feature, User, World } from "../world/model.ts";
import type { WindowKind } from "../window-kinds.ts";

/** A workspace with what the service concluded of it. */
export interface Told {
  world: World;
  outcomes: Outcomes;
  random: Random;
  today: number;
}

/** What a slot of a template is filled with. */
export interface Slots {
  account?: Account;
  other?: Account;
  user?: User;
  feature?: Feature;
  /** Stand as they are. */
  words?: Readonly<Record<string, string>>;
}

/** By the words that it may be called. */
export type Label = readonly string[];

export type Truth =
  | { kind: "number"; value: number; /** The same in other units: a share, percent. */ alsoAs?: readonly number[] }
  | { kind: "yes_or_no"; value: boolean; /** How often. */ count: number }
  | { kind: "word"; label: Label }
  /** A day, or how many days away it is. */
  | { kind: "day"; day: number; daysAway?: number }
  /** In any order; with a figure for each, where they are told with one. */
  | { kind: "names"; labels: readonly Label[]; values?: readonly number[] }
  /** The first of a ranking: with its values, where those of one value may stand in any order. */
  | { kind: "ranking"; ranked: readonly { label: Label; value: number }[]; limit: number }
  /** One thing against another; what is missing has no value. */
  | { kind: "pair"; one: number; other: number; labels?: readonly [Label, Label] }
  | { kind: "amounts"; byCurrency: Readonly<Record<string, number>> }
  | { kind: "health"; score: number; state: string }
  /** Each of them is said. */
  | { kind: "sentences"; texts: readonly string[] }
  /** Items of the inbox. */
  | { kind: "items"; items: readonly { id: string; title: string; account: string | null }[] };

export type Expected =
  /** @property span the days that the answer has to be about; `null` where none, or nobody could say otherwise */
  | { knows: true; truth: Truth; span: Span | null; measures: readonly string[]; subject: Label | null }
  /** Any of these reasons is right. */
  | { knows: false; reasons: readonly string[] };

export type Part = "open" | "held_apart";

export interface Case {
  world: World;
  part: Part;
  family: string;
  /** Cases of one group ask for the same in other words. */
  group: string;
  style: string;
  body: { question: string; accountId?: string; userId?: string; feature?: string; timezone?: string };
  expected: Expected;
}

/** What a family of questions is asked about once. */
export interface Instance {
  slots: Slots;
  /** Absent of what has no window. */
  window?: WindowKind;
  /** Where the words of the window are not those of a kind. */
  windowWords?: string;
  expected: Expected;
  timezone?: string;
}

export interface Family {
  id: string;
  instances: (told: Told) => readonly Instance[];
}

/** The fragments that no step has taken yet, in their order; and rules that combine those that stand together. */
import type { Find, Show } from "../../query/model.ts";
import type { Word } from "../words/split-words.ts";
import { FIELDS, type Fragment, type FragmentType, type Of, type Placed } from "./fragments.ts";

/** What a piece is about: `find users`, `measure mrr`, a filter on a plan. */
const mainOf = (piece: Placed): unknown =>
  piece.type === "filter" ? piece.filter.dimension : Reflect.get(piece, FIELDS.get(piece.type)?.[0] ?? "type");

/** @param mains what it must be about, if any */
export const isA = <T extends FragmentType>(
  piece: Placed | undefined,
  type: T,
  ...mains: readonly string[]
): piece is Of<T> => piece?.type === type && (mains.length === 0 || mains.includes(String(mainOf(piece))));

export const hasA = (pieces: readonly Placed[], type: FragmentType, ...mains: readonly string[]): boolean =>
  pieces.some((piece) => isA(piece, type, ...mains));

/** The name of an account or user. */
export const isEntityName = (piece: Placed | undefined): piece is Of<"value"> => isA(piece, "value", "account", "user");

export const isEvent = (piece: Placed | undefined): piece is Of<"value"> => isA(piece, "value", "event");

/** "who", "anyone". */
export const isWho = (piece: Placed | undefined): piece is Of<"form"> => isA(piece, "form") && piece.who === true;

/** "active" itself: not "inactive". */
export const isActive = (piece: Placed | undefined): piece is Of<"filter"> =>
  isA(piece, "filter", "active") && piece.filter.is === true;

export class Pieces {
  #left: Placed[];

  constructor(fragments: readonly Placed[]) {
    this.#left = [...fragments];
  }

  get remaining(): readonly Placed[] {
    return this.#left;
  }

  all<T extends FragmentType>(type: T, ...mains: readonly string[]): Of<T>[] {
    return this.#left.filter((piece): piece is Of<T> => isA(piece, type, ...mains));
  }

  first<T extends FragmentType>(type: T, ...mains: readonly string[]): Of<T> | undefined {
    return this.all(type, ...mains)[0];
  }

  /** Whether a form of the question is of this kind. */
  asks(show: Show): boolean {
    return this.has("form", show);
  }

  has(type: FragmentType, ...mains: readonly string[]): boolean {
    return hasA(this.#left, type, ...mains);
  }

  after(piece: Placed): Placed | undefined {
    return this.#left[this.#left.indexOf(piece) + 1];
  }

  /** The first piece after another, but not necessarily beside it, that fits. */
  firstAfter(piece: Placed, fits: (next: Placed) => boolean): Placed | undefined {
    return this.#left.slice(this.#left.indexOf(piece) + 1).find(fits);
  }

  before(piece: Placed): Placed | undefined {
    return this.#left[this.#left.indexOf(piece) - 1];
  }

  take(...pieces: readonly (Placed | undefined)[]): void {
    this.#left = this.#left.filter((piece) => !pieces.includes(piece));
  }

  replace(piece: Placed, by: Fragment): void {
    this.#left = this.#left.map((each) => (each === piece ? { ...by, from: piece.from, to: piece.to } : each));
  }
}

/** The words between two pieces. */
export const between = (words: readonly Word[], a: Placed, b: Placed): string[] =>
  words.slice(a.to, b.from).map(({ folded }) => folded);

export const touch = (a: Placed | undefined, b: Placed | undefined): boolean =>
  a !== undefined && b !== undefined && a.to === b.from;

/** A placeholder for the day before the window, until the window is known. */
export const BEFORE_WINDOW = "before";

/** The name of a measure or a dimension in a filter. */
export function nameOf(piece: Placed | undefined): string | null {
  if (isA(piece, "measure")) return piece.measure === "arr" ? null : piece.measure;
  return isA(piece, "dimension") ? piece.dimension : null;
}

/** The dimension that a piece is a condition of. */
export function dimensionOf(piece: Placed | undefined): string | null {
  if (isA(piece, "value")) return piece.dimension;
  return isA(piece, "filter") ? piece.filter.dimension : null;
}

/** What the values of a dimension are called. */
export const FIND_OF_DIMENSION: Readonly<Record<string, Find>> = {
  account: "accounts",
  user: "users",
  event: "features",
};

export const isTrial = (piece: Placed | undefined): boolean =>
  (isA(piece, "filter") && piece.filter.is === "trial") ||
  (isA(piece, "find") && piece.where?.some(({ is }) => is === "trial") === true);

/** The names of the measures and dimensions that are ranked, compared or shown. */
export const shownNames = (pieces: Pieces): string[] =>
  pieces.remaining.flatMap((piece) => (isA(piece, "measure", "arr") ? ["arr"] : (nameOf(piece) ?? [])));

/** Measures that count events, or what had some. */
export const EVENT_MEASURES = new Set(["events", "active_users", "active_accounts", "active_days"]);

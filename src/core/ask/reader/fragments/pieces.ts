/** The fragments that no step has taken yet, in their order; and rules that combine those that stand together. */
import { MEASURES_OF } from "../../query/check.ts";
import type { Find, Show } from "../../query/model.ts";
import type { Word } from "../words/split-words.ts";
import { type Fragment, type FragmentType, type PieceOf, type Piece, TOPICS } from "./fragments.ts";

/** Returns what a piece is about: `find users`, `measure mrr`, a filter on a plan. */
const topicOf = (piece: Piece): unknown =>
  piece.type === "filter" ? piece.filter.dimension : Reflect.get(piece, TOPICS.get(piece.type) ?? "type");

/** @param mains what it must be about, if any */
export const isA = <T extends FragmentType>(
  piece: Piece | undefined,
  type: T,
  ...mains: readonly string[]
): piece is PieceOf<T> => piece?.type === type && (mains.length === 0 || mains.includes(String(topicOf(piece))));

export const hasA = (pieces: readonly Piece[], type: FragmentType, ...mains: readonly string[]): boolean =>
  pieces.some((piece) => isA(piece, type, ...mains));

/** Returns the name of an account or user. */
export const isEntityName = (piece: Piece | undefined): piece is PieceOf<"value"> =>
  isA(piece, "value", "account", "user");

export const isEvent = (piece: Piece | undefined): piece is PieceOf<"value"> => isA(piece, "value", "event");

/** "who", "anyone". */
export const isWho = (piece: Piece | undefined): piece is PieceOf<"form"> => isA(piece, "form") && piece.who === true;

/** "active" itself: not "inactive". */
export const isActive = (piece: Piece | undefined): piece is PieceOf<"filter"> =>
  isA(piece, "filter", "active") && piece.filter.is === true;

export class Pieces {
  #left: Piece[];

  constructor(fragments: readonly Piece[]) {
    this.#left = [...fragments];
  }

  get remaining(): readonly Piece[] {
    return this.#left;
  }

  all<T extends FragmentType>(type: T, ...mains: readonly string[]): PieceOf<T>[] {
    return this.#left.filter((piece): piece is PieceOf<T> => isA(piece, type, ...mains));
  }

  first<T extends FragmentType>(type: T, ...mains: readonly string[]): PieceOf<T> | undefined {
    return this.all(type, ...mains)[0];
  }

  /** Tests whether a form of the question is of this kind. */
  asks(show: Show): boolean {
    return this.has("form", show);
  }

  has(type: FragmentType, ...mains: readonly string[]): boolean {
    return hasA(this.#left, type, ...mains);
  }

  after(piece: Piece): Piece | undefined {
    return this.#left[this.#left.indexOf(piece) + 1];
  }

  /** Returns the first piece after another, but not necessarily beside it, that fits. */
  firstAfter(piece: Piece, fits: (next: Piece) => boolean): Piece | undefined {
    return this.#left.slice(this.#left.indexOf(piece) + 1).find(fits);
  }

  before(piece: Piece): Piece | undefined {
    return this.#left[this.#left.indexOf(piece) - 1];
  }

  take(...pieces: readonly (Piece | undefined)[]): void {
    this.#left = this.#left.filter((piece) => !pieces.includes(piece));
  }

  replace(piece: Piece, by: Fragment): void {
    this.#left = this.#left.map((each) => (each === piece ? { ...by, from: piece.from, to: piece.to } : each));
  }
}

/** Returns the words between two pieces. */
export const between = (words: readonly Word[], a: Piece, b: Piece): string[] =>
  words.slice(a.to, b.from).map(({ folded }) => folded);

export const touch = (a: Piece | undefined, b: Piece | undefined): boolean =>
  a !== undefined && b !== undefined && a.to === b.from;

/** A placeholder for the day before the window, until the window is known. */
export const BEFORE_WINDOW = "before";

/** Returns the name of a measure or a dimension in a filter. */
export function measureName(piece: Piece | undefined): string | null {
  if (isA(piece, "measure")) return piece.measure === "arr" ? null : piece.measure;
  return isA(piece, "dimension") ? piece.dimension : null;
}

/** Returns the dimension that a piece is a condition of. */
export function dimensionOf(piece: Piece | undefined): string | null {
  if (isA(piece, "value")) return piece.dimension;
  return isA(piece, "filter") ? piece.filter.dimension : null;
}

/** What the values of a dimension are called. */
export const FIND_OF_DIMENSION: Readonly<Record<string, Find>> = {
  account: "accounts",
  user: "users",
  event: "features",
};

export const isTrial = (piece: Piece | undefined): boolean =>
  (isA(piece, "filter") && piece.filter.is === "trial") ||
  (isA(piece, "find") && piece.where?.some(({ is }) => is === "trial") === true);

/** Returns the names of the measures and dimensions that are ranked, compared or shown. */
export const shownNames = (pieces: Pieces): string[] =>
  pieces.remaining.flatMap((piece) => (isA(piece, "measure", "arr") ? ["arr"] : (measureName(piece) ?? [])));

/** Measures that count events, or what had some. */
export const EVENT_MEASURES = new Set<string>([...MEASURES_OF.events, "active_days"]);

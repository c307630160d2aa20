/** The fragments that no step has taken yet, in order. */
import type { Fragment, FragmentType, Of, Placed } from "./fragments.ts";

export class Pieces {
  #left: Placed[];

  constructor(fragments: readonly Placed[]) {
    this.#left = [...fragments];
  }

  get left(): readonly Placed[] {
    return this.#left;
  }

  all<T extends FragmentType>(type: T): Of<T>[] {
    return this.#left.filter((piece): piece is Of<T> => piece.type === type);
  }

  first<T extends FragmentType>(type: T): Of<T> | undefined {
    return this.all(type)[0];
  }

  has(type: FragmentType): boolean {
    return this.#left.some((piece) => piece.type === type);
  }

  after(piece: Placed): Placed | undefined {
    return this.#left[this.#left.indexOf(piece) + 1];
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

/**
 * How much the slow tests try: by default a sixth of the places at which a run can be interrupted, a quarter of the generated
 * cases, and one of several variants. `PROPERTY_SEED` decides which ones, as it decides the cases; `THOROUGH=1` tries all.
 */
import { inject } from "vitest";

import { propertySeed } from "./property-seed.ts";

declare module "vitest" {
  interface ProvidedContext {
    thorough: boolean;
  }
}

const EACH_PLACE = 6;
const EACH_CASE = 4;

/** Draws a whole number from 0 to below `bound`. */
const draw = (bound: number): number => (propertySeed ?? Math.floor(Math.random() * bound)) % bound;

/** Yields places from 1 on, without end: the test finds the last. */
export function* places(): Generator<number, never> {
  const stride = inject("thorough") ? 1 : EACH_PLACE;
  for (let place = 1 + draw(stride); ; place += stride) yield place;
}

export function placesUpTo(last: number): number[] {
  const tried: number[] = [];
  for (const place of places()) {
    if (place > last) break;
    tried.push(place);
  }
  return tried;
}

export const cases = (all: number): number => (inject("thorough") ? all : Math.ceil(all / EACH_CASE));

export function oneOf<T>(all: readonly T[]): readonly T[] {
  const drawn = draw(all.length);
  return inject("thorough") ? all : all.slice(drawn, drawn + 1);
}

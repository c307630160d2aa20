/**
 * How much the slow tests try: by default a third of the places at which a run can be interrupted and half of the generated
 * cases, other ones in each run of the tests. `THOROUGH=1` tries all.
 */
import { inject } from "vitest";

declare module "vitest" {
  interface ProvidedContext {
    thorough: boolean;
  }
}

const EACH_PLACE = 3;
const EACH_CASE = 2;

const stride = (): number => (inject("thorough") ? 1 : EACH_PLACE);

/** Yields places from 1 on, without end: the test finds the last. */
export function* places(): Generator<number, never> {
  for (let place = 1 + Math.floor(Math.random() * stride()); ; place += stride()) yield place;
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

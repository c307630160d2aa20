/** Draws repeatable random numbers: one stream per name, so that a stream does not depend on what else is drawn. */

/** The next number of a stream, from 0 up to but not including 1. */
export type Random = () => number;

/** Returns the stream of a name: sfc32, seeded by a hash of the name. */
export function randomOf(name: string): Random {
  let a = hash(name, 0x9e3779b9);
  let b = hash(name, 0x243f6a88);
  let c = hash(name, 0xb7e15162);
  let counter = 1;
  const next: Random = () => {
    const sum = (a + b + counter) | 0;
    counter = (counter + 1) | 0;
    a = b ^ (b >>> 9);
    b = (c + (c << 3)) | 0;
    c = (((c << 21) | (c >>> 11)) + sum) | 0;
    return (sum >>> 0) / 2 ** 32;
  };
  for (let round = 0; round < 12; round += 1) next();
  return next;
}

/** FNV-1a from the given start, with the final mix of MurmurHash3. */
function hash(text: string, start: number): number {
  let state = start | 0;
  for (let position = 0; position < text.length; position += 1)
    state = Math.imul(state ^ text.charCodeAt(position), 0x01000193);
  state = Math.imul(state ^ (state >>> 16), 0x85ebca6b);
  state = Math.imul(state ^ (state >>> 13), 0xc2b2ae35);
  return state ^ (state >>> 16);
}

export const chance = (random: Random, probability: number): boolean => random() < probability;

export const between = (random: Random, low: number, high: number): number => low + (high - low) * random();

/** Returns a whole number, both ends included. */
export const wholeBetween = (random: Random, low: number, high: number): number =>
  Math.floor(between(random, low, high + 1));

export function pick<T>(random: Random, values: readonly [T, ...T[]]): T {
  return values[Math.floor(random() * values.length)] ?? values[0];
}

/** Returns an index, in proportion to the weights. */
export function pickWeighted(random: Random, weights: readonly number[]): number {
  let left = random() * weights.reduce((sum, weight) => sum + weight, 0);
  const found = weights.findIndex((weight) => (left -= weight) < 0);
  return found === -1 ? weights.length - 1 : found;
}

export function shuffled<T>(random: Random, values: readonly T[]): T[] {
  const keyed = values.map((value) => ({ value, key: random() }));
  return keyed.toSorted((one, other) => one.key - other.key).map(({ value }) => value);
}

/** Returns a normal number of mean 0 and variance 1. */
export const normal = (random: Random): number =>
  Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random());

export const logNormal = (random: Random, median: number, sigma: number): number =>
  median * Math.exp(sigma * normal(random));

export function poisson(random: Random, mean: number): number {
  const limit = Math.exp(-mean);
  let count = 0;
  for (let product = random(); product > limit; product *= random()) count += 1;
  return count;
}

/** Returns a gamma number of mean 1 and this coefficient of variation, below 1, by Marsaglia and Tsang's method. */
export function gamma(random: Random, variation: number): number {
  const shape = 1 / variation ** 2;
  const d = shape - 1 / 3;
  const c = 1 / Math.sqrt(9 * d);
  for (;;) {
    const x = normal(random);
    const v = (1 + c * x) ** 3;
    if (v > 0 && Math.log(1 - random()) < 0.5 * x * x + d - d * v + d * Math.log(v)) return (d * v) / shape;
  }
}

/** Lists of charges in time order, with at most one charge per moment. */

/** `cost` messages, counted from the moment `at` on. */
export interface Charge {
  readonly at: number;
  readonly cost: number;
}

export type Charges = readonly Charge[];

export function after(charges: Charges, moment: number): Charges {
  let low = 0;
  let high = charges.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    const charge = charges[middle];
    if (charge !== undefined && charge.at <= moment) low = middle + 1;
    else high = middle;
  }
  return charges.slice(low);
}

export function merge(charges: Charges, more: Charges): Charges {
  const tail = after(charges, more[0]?.at ?? Infinity);
  const merged = charges.slice(0, charges.length - tail.length);
  for (const charge of [...tail, ...more].toSorted((a, b) => a.at - b.at)) {
    const last = merged.at(-1);
    if (last?.at === charge.at) {
      merged[merged.length - 1] = { at: last.at, cost: last.cost + charge.cost };
    } else {
      merged.push(charge);
    }
  }
  return merged;
}

/**
 * Reads how much is charged in the window `(end - windowMs, end]`. Call the reader with ascending ends only: all its calls
 * together then take linear time.
 */
export function windowLoad(charges: Charges, windowMs: number): (end: number) => number {
  let load = 0;
  let entering = 0;
  let leaving = 0;
  return (end) => {
    for (let c = charges[entering]; c !== undefined && c.at <= end; c = charges[++entering]) {
      load += c.cost;
    }
    for (let c = charges[leaving]; c !== undefined && c.at <= end - windowMs; c = charges[++leaving]) {
      load -= c.cost;
    }
    return load;
  };
}

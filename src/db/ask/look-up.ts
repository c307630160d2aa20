/**
 * What a question's words name, in one round trip: spans that are ids, names in their folded and spoken forms, names
 * that are a slip away, and whatever waits in the tail without a name yet. All by index; no list of names is walked.
 */
import type { Found, Freshness, Hints } from "../../core/ask/model.ts";
import type { LookUps } from "../../core/ask/question/look-ups.ts";
import type { Batch } from "../client/batch.ts";
import { selectNames } from "./found-names.ts";
import { selectFreshness } from "./freshness.ts";
import { type GivenHints, selectHints } from "./hints.ts";
import { withoutEclipsed } from "./known-name.ts";
import { selectTailNames } from "./tail-names.ts";

export interface LookedUp {
  found: Found;
  hints: Hints;
  /** The first hint that names nothing. */
  unknownHint: keyof GivenHints | null;
  freshness: Freshness;
}

/** No name has one: such a span could only mean a row that is not to be found. */
const CONTROL = /\p{Cc}/u;

/**
 * @param batch runs, with what else was put into it
 * @param given what was said beside the question
 */
export async function lookUp(batch: Batch, lookUps: LookUps, given: GivenHints): Promise<LookedUp> {
  const asked = { ...lookUps, exact: lookUps.exact.filter((span) => !CONTROL.test(span)) };
  const readStored = selectNames(batch, asked);
  const readTail = selectTailNames(batch, asked);
  const readHints = selectHints(batch, given);
  const readFreshness = selectFreshness(batch);
  await batch.run();

  const [stored, tail] = [readStored(), readTail()];
  const { hints, unknown } = readHints(tail.features);
  return {
    found: {
      names: withoutEclipsed([...stored.names, ...tail.names]),
      plans: [...new Set([...stored.plans, ...tail.plans])],
    },
    hints,
    unknownHint: unknown,
    freshness: readFreshness(),
  };
}

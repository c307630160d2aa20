/** Which mutators a case gets. */
import type { Chance } from "../chance.ts";
import { byteMutators } from "./bytes.ts";
import { type Mutator, type Stage } from "./draft.ts";
import { encodingMutators, gzipping } from "./encodings.ts";
import { headerMutators } from "./headers.ts";
import { structureMutators } from "./json-structure.ts";
import { valueMutators } from "./json-values.ts";
import { targetMutators } from "./targets.ts";
import { wireMutators } from "./wire.ts";

const MUTATORS: readonly Mutator[] = [
  ...valueMutators,
  ...structureMutators,
  ...byteMutators,
  ...encodingMutators,
  ...headerMutators,
  ...targetMutators,
  ...wireMutators,
];
/** Of requests without a body. */
const BODILESS: ReadonlySet<Stage> = new Set(["request", "wire"]);

/**
 * Mostly one, of the JSON up to three, now and then some of several kinds, and rarely none.
 *
 * @param gzipped whether the sender gzips what it sends, when nothing else is done to the encoding
 */
export function chooseMutators(
  chance: Chance,
  { hasBody, gzipped }: { hasBody: boolean; gzipped: boolean },
): Mutator[] {
  const gzip = gzipped ? [gzipping] : [];
  if (chance.happens(3)) return gzip;
  const usable = MUTATORS.filter(({ stage }) => hasBody || BODILESS.has(stage));
  const first = chance.weighted(usable);
  const mixed = chance.happens(15);
  const beside = usable.filter(({ stage }) =>
    mixed ? stage !== first.stage : stage === "json" && first.stage === "json",
  );
  const count = beside.length > 0 && (mixed || chance.happens(30)) ? chance.between(1, 2) : 0;
  const chosen = [first, ...Array.from({ length: count }, () => chance.weighted(beside))];
  return chosen.some(({ stage }) => stage === "encoding") ? chosen : [...chosen, ...gzip];
}

/** What is written, and how often. */
import { pickWeighted } from "../../../evals/simulator/random.ts";
import { batch, twins } from "./batches.ts";
import {
  capture,
  identity,
  invalidCapture,
  loneInvalid,
  lonePage,
  repeatedCapture,
  track,
  uncharged,
} from "./singles.ts";
import type { Writer, Writes } from "./write.ts";

type Make = (writer: Writer) => Writes;

/** How often each comes, of 1,000. */
const MIX: readonly (readonly [weight: number, make: Make])[] = [
  [300, capture],
  [50, repeatedCapture],
  [130, track],
  [20, lonePage],
  [15, loneInvalid],
  [15, invalidCapture],
  [50, identity],
  [30, uncharged],
  [40, twins],
  [280, (writer) => batch(writer, 15)],
  [66, (writer) => batch(writer, 100)],
  [4, (writer) => batch(writer, 1_000)],
];
const WEIGHTS = MIX.map(([weight]) => weight);

export function nextWrites(writer: Writer): Writes {
  const [, make] = MIX[pickWeighted(writer.random, WEIGHTS)] ?? MIX[0] ?? [0, capture];
  return make(writer);
}

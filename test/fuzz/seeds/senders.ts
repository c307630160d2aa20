/** Who sends, and how often: mostly messages, as it is with the service. */
import type { Bindings } from "../bindings.ts";
import type { Chance } from "../chance.ts";
import type { Seed } from "../request.ts";
import { administrationSeed } from "./administration.ts";
import { librarySeed, nativeSeed, webhookSeed } from "./ingest.ts";
import { questionSeed } from "./questions.ts";
import { identitySeed, markSeed, readSeed } from "./reads.ts";

export interface Sender {
  weight: number;
  /** A right request of its own, with this key. */
  seed: (chance: Chance, key: string, bindings: Bindings) => Seed;
}

const WITH_A_KEY: readonly Sender[] = [
  { weight: 22, seed: librarySeed },
  { weight: 30, seed: webhookSeed },
  { weight: 18, seed: nativeSeed },
  { weight: 10, seed: questionSeed },
  { weight: 9, seed: readSeed },
  { weight: 4, seed: markSeed },
  { weight: 4, seed: identitySeed },
];
const ADMINISTRATOR: Sender = { weight: 3, seed: administrationSeed };

export const sendersFor = ({ adminToken }: Bindings): readonly Sender[] =>
  adminToken === null ? WITH_A_KEY : [...WITH_A_KEY, ADMINISTRATOR];

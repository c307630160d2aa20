/** What is held apart of the families of near misses: see the README of this folder. */
import { CONDITIONS_HELD } from "./conditions.ts";
import { OTHER_INTENTS_HELD } from "./other-intents.ts";
import { WITHOUT_DATA_HELD } from "./without-data.ts";

export const NEAR_MISSES_HELD = { ...WITHOUT_DATA_HELD, ...CONDITIONS_HELD, ...OTHER_INTENTS_HELD };

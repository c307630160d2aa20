/** The open phrasings of all families of near misses. */
import { CONDITIONS } from "./conditions.ts";
import { MISSING_DATA } from "./missing-data.ts";
import { OTHER_INTENTS } from "./other-intents.ts";
import { OUT_OF_SCOPE } from "./out-of-scope.ts";
import { RECKONING } from "./reckoning.ts";
import { TOO_MUCH } from "./too-much.ts";
import { UNKNOWN_NAMES } from "./unknown-names.ts";

export const NEAR_MISSES = {
  ...UNKNOWN_NAMES,
  ...MISSING_DATA,
  ...CONDITIONS,
  ...RECKONING,
  ...TOO_MUCH,
  ...OTHER_INTENTS,
  ...OUT_OF_SCOPE,
};

/** Checks the phrases that questions are read with: `src/core/ask/reader/lexicon/phrases`. */
import { prettifyError } from "zod";

import { phraseGroupSchema } from "../../src/core/ask/reader/lexicon/phrase-group-schema.ts";
import { PHRASE_GROUPS } from "../../src/core/ask/reader/lexicon/phrase-groups.ts";

/** @throws if a group isn't as the schema says, with the first phrase of the group */
export function checkPhrases(): void {
  for (const group of PHRASE_GROUPS) {
    const { error } = phraseGroupSchema.safeParse(group);
    if (error !== undefined) throw new Error(`The phrases of "${group.phrases[0]}":\n${prettifyError(error)}`);
  }
}

/** The request bodies of a dismissal and a note: docs/wire/inbox.md §14. */
import * as z from "zod";

import { DISMISS_REASONS } from "../../core/inbox/marks.ts";
import { redactAddresses } from "../../core/ingest/redact-addresses.ts";
import { isLongerThan } from "../../core/ingest/text.ts";

export const dismissal = z.strictObject({
  reason: z.enum(DISMISS_REASONS).optional().meta({ description: "Why nobody has to act on the item." }),
});

export const MAX_NOTE_CHARACTERS = 1_000;

/** Lines of text without e-mail addresses; `null` for none. */
export const noteText = z
  .string("must be a string")
  .trim()
  .refine((text) => !isLongerThan(text, MAX_NOTE_CHARACTERS), `must have at most ${MAX_NOTE_CHARACTERS} characters`)
  .refine(
    (text) => text.isWellFormed() && !/[^\P{Cc}\t\n\r]/u.test(text),
    "must not contain control characters other than tabs and line breaks, nor lone surrogates",
  )
  .transform((text) => redactAddresses(text) || null);

export const note = z.strictObject({
  text: noteText.meta({
    maxLength: MAX_NOTE_CHARACTERS,
    description: "E-mail addresses are stored as `[redacted]`. An empty text removes the note.",
  }),
});

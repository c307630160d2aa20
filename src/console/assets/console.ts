/** Enhancements of all pages. Every page works without this script. */
import "./scripts/in-place.ts";
import "./scripts/refresh.ts";
import "./scripts/copy.ts";
import "./scripts/submit-once.ts";
import "./scripts/tabs.ts";
import "./scripts/ask-link.ts";
import "./scripts/dialogs.ts";
import "./scripts/inbox-keys.ts";
import "./scripts/note-drafts.ts";
import "./scripts/palette.ts";

/** docs/notifications.md: a resolved item says that it is over, in the words of its kind. */
import { expect, it } from "vitest";

import { describeResolution } from "../../../src/core/inbox/kind-names.ts";
import { ITEM_KINDS, RESOLUTIONS } from "../../../src/core/inbox/model.ts";

it.each(ITEM_KINDS)("says in a sentence why %s was resolved", (kind) => {
  for (const resolution of RESOLUTIONS)
    expect(describeResolution(kind, resolution)).toMatch(/^(?:The|It|A|Usage|Events|Fewer) [^_]+\.$/);
});

it.each([
  ["gone_silent", "The account recovered."],
  ["never_activated", "The account has started using the product."],
  ["key_user_quiet", "The user is active again, or another user has taken over."],
  ["seats_nearly_full", "Fewer seats are in use."],
  ["feature_dropped", "The feature is in use again."],
  ["tracking_stopped", "Events are arriving again."],
] as const)("says what a recovery is for %s", (kind, text) => {
  expect(describeResolution(kind, "recovered")).toBe(text);
});

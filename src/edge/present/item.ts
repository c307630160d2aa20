/**
 * Presents an inbox item as the API returns it. Stored items hold codes and numbers. Names and sentences are added here,
 * so an erased name disappears from the inbox too.
 */
import { ERASED_NAME } from "../../core/erased-name.ts";
import { MODEL_VERSION } from "../../core/health/model.ts";
import type { ItemEvidence } from "../../core/inbox/model.ts";
import { describeItem, type ItemNames } from "../../core/inbox/texts.ts";
import type { StoredItem } from "../../services/inbox.ts";
import { iso, isoDate, isoDates, isoEndOf, isoOrNull } from "./iso.ts";

/** The evidence whose value is a day. */
const DAY_CODE = "last_day";

export function presentItem(stored: StoredItem) {
  const { id, item, account, dismissedAt, snoozedUntil } = stored;
  const subject = presentSubject(stored);
  const { title, why, suggestedAction, closesWhen } = describeItem(item, namesIn(stored));
  return {
    id,
    kind: item.kind,
    severity: item.severity,
    account,
    ...(subject === null ? {} : { subject }),
    title,
    why,
    evidence: item.evidence.map(presentEvidence),
    since: isoEndOf(item.openedDay),
    lastConfirmedAt: isoEndOf(item.confirmedDay),
    resolvedAt: item.resolvedDay === null ? null : isoEndOf(item.resolvedDay),
    resolution: item.resolution,
    ...(item.dueAt === null ? {} : { dueAt: iso(item.dueAt) }),
    suggestedAction,
    closesWhen,
    confidence: item.confidence,
    status: item.resolvedDay === null ? "open" : "resolved",
    dismissedAt: isoOrNull(dismissedAt),
    snoozedUntil: isoOrNull(snoozedUntil),
    occurrence: item.occurrence,
    modelVersion: MODEL_VERSION,
  };
}

function namesIn({ account, company, user, feature }: StoredItem): ItemNames {
  const subject = user?.externalId ?? feature;
  const name = account === null ? "The workspace" : (company ?? account.externalId ?? ERASED_NAME);
  return { account: name, ...(subject === null ? {} : { subject }) };
}

const presentEvidence = ({ code, value, expected, window }: ItemEvidence) => ({
  code,
  value: code === DAY_CODE ? isoDate(value) : value,
  ...(expected === undefined ? {} : { expected }),
  ...(window === undefined ? {} : { window: isoDates(window) }),
});

/** Presents what part of the account an item is about; `null` if it is about the whole account. */
function presentSubject({ item: { kind, subject }, user, feature }: StoredItem) {
  switch (kind) {
    case "trial_ending_low_activity":
    case "trial_ending_ready":
    case "trial_expired":
      return { type: "trial_end", at: iso(Number(subject)) };
    case "key_user_quiet":
      // An erased user has neither id.
      return { type: "user", id: user?.id ?? null, externalId: user?.externalId ?? null };
    case "feature_dropped":
      return { type: "feature", name: feature };
    case "seats_nearly_full":
      return { type: "seats", seats: Number(subject) };
    case "contraction":
      return { type: "attribute", name: subject };
    case "never_activated":
    case "usage_drop":
    case "slow_decline":
    case "gone_silent":
    case "usage_growth":
    case "health_dropped":
    case "tracking_stopped":
      return null;
  }
}

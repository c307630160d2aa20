/**
 * Presents inbox items. Codes and numbers are stored; names and sentences are added here, so an erased name disappears
 * from the inbox too.
 */
import { ERASED_NAME } from "../../core/erased-name.ts";
import { MODEL_VERSION } from "../../core/health/model.ts";
import type { ItemEvidence } from "../../core/inbox/model.ts";
import { describeItem, type ItemNames } from "../../core/inbox/texts.ts";
import type { StoredItem } from "../../db/inbox/list-items.ts";
import { iso, isoDate, isoDates, isoEndOf, isoOrNull } from "./iso.ts";

export function presentItem(item: StoredItem) {
  const subject = presentSubject(item);
  const { title, why, suggestedAction, closesWhen } = describeItem(item, namesIn(item));
  return {
    id: item.id,
    kind: item.kind,
    severity: item.severity,
    account: item.account,
    owner: item.owner,
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
    status: item.resolvedDay === null ? ("open" as const) : ("resolved" as const),
    dismissedAt: isoOrNull(item.dismissedAt),
    dismissReason: item.dismissReason,
    snoozedUntil: isoOrNull(item.snoozedUntil),
    contactedAt: isoOrNull(item.contactedAt),
    contactedBy: item.contactedBy,
    note: presentNote(item),
    occurrence: item.occurrence,
    modelVersion: MODEL_VERSION,
  };
}

const presentNote = ({ note: text, noteBy: by, noteAt: at }: StoredItem) =>
  text === null || by === null || at === null ? null : { text, by, at: iso(at) };

/** Names the account of an item, and the user or the feature that it is about. */
export function namesIn({ account, identity, user, feature, currency }: StoredItem): ItemNames {
  const subject = user?.externalId ?? feature;
  const name = account === null ? "The workspace" : (identity?.company ?? account.externalId ?? ERASED_NAME);
  return { account: name, ...(subject !== null && { subject }), ...(currency !== null && { currency }) };
}

const presentEvidence = ({ code, value, expected, window }: ItemEvidence) => ({
  code,
  value: code === "last_day" ? isoDate(value) : value,
  ...(expected === undefined ? {} : { expected }),
  ...(window === undefined ? {} : { window: isoDates(window) }),
});

/** Presents the part of the account that an item is about; `null` if it is about the whole account. */
function presentSubject({ kind, subject, user, feature }: StoredItem) {
  switch (kind) {
    case "trial_ending_low_activity":
    case "trial_ending_ready":
    case "trial_expired":
      return { type: "trial_end" as const, at: iso(Number(subject)) };
    case "renewal_at_risk":
      return { type: "contract_end" as const, at: iso(Number(subject)) };
    case "key_user_quiet":
      // An erased user has neither.
      return { type: "user" as const, id: user?.id ?? null, externalId: user?.externalId ?? null };
    case "feature_dropped":
      return feature === null ? null : { type: "feature" as const, name: feature };
    case "seats_nearly_full":
      return { type: "seats" as const, seats: Number(subject) };
    case "contraction":
      return { type: "attribute" as const, name: subject };
    case "never_activated":
    case "usage_drop":
    case "slow_decline":
    case "gone_silent":
    case "usage_growth":
    case "health_dropped":
    case "tracking_stopped":
      return null;
    default:
      return kind satisfies never;
  }
}

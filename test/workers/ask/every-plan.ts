/** A plan of every kind, for what has to hold for all of them. */
import type { AskWindow, Entity, Plan } from "../../../src/core/ask/model.ts";
import type { Window } from "../../../src/core/health/model.ts";

export interface PlanSubjects {
  account: Entity;
  other: Entity;
  user: Entity;
  feature: Entity;
  window: Window;
  before: Window;
}

const asked = (window: Window): AskWindow => ({ ...window, phrase: "then" });

export function everyPlan({ account, other, user, feature, ...windows }: PlanSubjects): Plan[] {
  const [window, before] = [asked(windows.window), asked(windows.before)];
  const ofAccount = { subject: "account", account } as const;
  const ofUser = { subject: "user", user } as const;
  const ofFeature = { subject: "feature", feature } as const;
  const ofAll = { subject: "portfolio" } as const;
  return [
    ...(["health", "health_why", "changes", "last_seen", "since", "items", "trial_end"] as const).map((measure) => ({
      ...ofAccount,
      measure,
    })),
    ...(["trial_days_left", "plan", "seats", "mrr", "stage"] as const).map((measure) => ({ ...ofAccount, measure })),
    { ...ofAccount, measure: "trait", key: "sector" },
    { ...ofAccount, measure: "seat_use", window },
    ...(["event_count", "active_users", "active_days"] as const).flatMap((measure) => [
      { ...ofAccount, measure, window },
      { ...ofAccount, measure, window, feature },
    ]),
    ...(["active_user_list", "features_used", "features_not_used", "feature_count"] as const).map((measure) => ({
      ...ofAccount,
      measure,
      window,
    })),
    { ...ofAccount, measure: "uses_feature", window, feature },
    { ...ofAccount, measure: "trend", window, before },
    { ...ofAccount, measure: "trend", window, before, feature },
    { ...ofAccount, measure: "compare_windows", metric: "active_users", window, before },
    { ...ofAccount, measure: "compare_accounts", metric: "events", other, window },
    ...(["last_seen", "first_seen", "account"] as const).map((measure) => ({ ...ofUser, measure })),
    { ...ofUser, measure: "trait", key: "role" },
    { ...ofUser, measure: "event_count", window },
    { ...ofUser, measure: "active_days", window, feature },
    { ...ofUser, measure: "features_used", window },
    { ...ofUser, measure: "uses_feature", window, feature },
    { ...ofUser, measure: "trend", window, before },
    ...(["accounts", "users", "account_count", "user_count", "adoption", "event_count"] as const).map((measure) => ({
      ...ofFeature,
      measure,
      window,
    })),
    { ...ofFeature, measure: "stopped", window, before },
    { ...ofFeature, measure: "trend", window, before },
    { ...ofAll, measure: "account_count", filter: { plan: "pro" } },
    { ...ofAll, measure: "account_list", filter: { state: "at_risk" } },
    { ...ofAll, measure: "at_risk" },
    ...(["silent_since", "active_accounts", "active_account_list", "active_users", "event_count"] as const).map(
      (measure) => ({ ...ofAll, measure, window }),
    ),
    { ...ofAll, measure: "top", by: "activity", limit: 3, window },
    { ...ofAll, measure: "top", by: "growth", limit: 3, window, before },
    { ...ofAll, measure: "top", by: "mrr", limit: 3 },
    { ...ofAll, measure: "mrr", total: true },
    { ...ofAll, measure: "trials_ending", window },
    { ...ofAll, measure: "top_features", limit: 3, window },
    { ...ofAll, measure: "new_accounts", window },
    { ...ofAll, measure: "items", limit: 3 },
  ];
}

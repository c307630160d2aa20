/** Rules about key users and core features of an account that is still active (docs/health.md §12.2). */
import { evidenceOf, isExpired, type Rule, suppressedBySilence, wasSilentWithin } from "./rule.ts";

const EXPIRY_DAYS = 90;
const FEATURE_BACK_DAYS = 2;
/** After a silence of the whole account, its users and features get this long to return. */
const USER_BACK_DAYS = 14;
const FEATURE_WINDOW_DAYS = 21;

const keyUserQuiet: Rule = {
  kind: "key_user_quiet",
  severity: "medium",
  inOutage: "frozen",
  closesOnChurn: true,
  suppressedBy: suppressedBySilence,
  find: (facts) =>
    facts.measures
      .keyUsers(facts.day)
      .filter(({ silence }) => silence.silent)
      .map(({ user, days, share, silence }) => ({
        subject: String(user),
        evidence: [
          { code: "gap_business_days", value: silence.gap, expected: silence.threshold },
          { code: "last_day", value: silence.lastDay },
          { code: "active_days", value: days },
          { code: "share", value: share },
        ],
        updateOnly: wasSilentWithin(USER_BACK_DAYS, facts),
      })),
  resolution: (item, { measures, day }) => {
    const user = Number(item.subject);
    const lastDay = evidenceOf(item, "last_day")?.value ?? item.openedDay;
    if (measures.userSeen(day, user, lastDay) || measures.hasSuccessor(day, user, lastDay)) return "recovered";
    return isExpired(item, day, EXPIRY_DAYS) ? "expired" : null;
  },
};

const featureDropped: Rule = {
  kind: "feature_dropped",
  severity: "low",
  inOutage: "frozen",
  closesOnChurn: true,
  suppressedBy: suppressedBySilence,
  find: (facts) =>
    facts.measures.droppedFeatures(facts.day).map(({ feature, users, days, lastDay }) => ({
      subject: String(feature),
      evidence: [
        { code: "active_days", value: days },
        { code: "users", value: users },
        { code: "last_day", value: lastDay },
      ],
      updateOnly: wasSilentWithin(FEATURE_WINDOW_DAYS, facts),
    })),
  resolution: (item, { measures, day }) => {
    const isBack = measures.featureDays(day, Number(item.subject), item.openedDay) >= FEATURE_BACK_DAYS;
    if (isBack) return "recovered";
    return isExpired(item, day, EXPIRY_DAYS) ? "expired" : null;
  },
};

export const USER_AND_FEATURE_RULES: readonly Rule[] = [keyUserQuiet, featureDropped];

/** Who and what an account's use stands on, while the account itself is active (docs/health.md §12.2). */
import { figure, isPast, type Rule, silentAccount, wasSilentWithin } from "./rule.ts";

/** After so long an absence is how things are. */
const NEWS_DAYS = 90;
const FEATURE_BACK_DAYS = 2;
/** After the account itself was silent, its users and features are given so long to be back too. */
const USER_BACK_DAYS = 14;
const FEATURE_WINDOW_DAYS = 21;

const keyUserQuiet: Rule = {
  kind: "key_user_quiet",
  severity: "medium",
  inOutage: "frozen",
  endsWithChurn: true,
  silenced: silentAccount,
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
        standing: wasSilentWithin(USER_BACK_DAYS, facts),
      })),
  resolution: (item, { measures, day }) => {
    const user = Number(item.subject);
    const lastDay = figure(item, "last_day")?.value ?? item.openedDay;
    if (measures.userSeen(day, user, lastDay) || measures.hasSuccessor(day, user, lastDay)) return "recovered";
    return isPast(item, day, NEWS_DAYS) ? "expired" : null;
  },
};

const featureDropped: Rule = {
  kind: "feature_dropped",
  severity: "low",
  inOutage: "frozen",
  endsWithChurn: true,
  silenced: silentAccount,
  find: (facts) =>
    facts.measures.droppedFeatures(facts.day).map(({ feature, users, days, lastDay }) => ({
      subject: String(feature),
      evidence: [
        { code: "active_days", value: days },
        { code: "users", value: users },
        { code: "last_day", value: lastDay },
      ],
      standing: wasSilentWithin(FEATURE_WINDOW_DAYS, facts),
    })),
  resolution: (item, { measures, day }) => {
    const isBack = measures.featureDays(day, Number(item.subject), item.openedDay) >= FEATURE_BACK_DAYS;
    if (isBack) return "recovered";
    return isPast(item, day, NEWS_DAYS) ? "expired" : null;
  },
};

export const USER_AND_FEATURE_RULES: readonly Rule[] = [keyUserQuiet, featureDropped];

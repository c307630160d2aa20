/** Rules about key users and core features of an account that is still active (docs/health.md §12.2). */
import type { Rule } from "./rule.ts";

const EXPIRY_DAYS = 90;
const FEATURE_BACK_DAYS = 2;
/** After a silence of the whole account, its users and features get this long to return. */
const USER_BACK_DAYS = 14;
const FEATURE_WINDOW_DAYS = 21;

const keyUserQuiet: Rule = {
  kind: "key_user_quiet",
  severity: "medium",
  silenceCooldownDays: USER_BACK_DAYS,
  expiresAfterDays: EXPIRY_DAYS,
  find: ({ measures, day }) =>
    measures.keyUsers(day).map(({ user, days, share, silence }) => ({
      subject: String(user),
      evidence: [
        { code: "gap_business_days", value: silence.gap, expected: silence.threshold },
        { code: "last_day", value: silence.lastDay },
        { code: "active_days", value: days },
        { code: "share", value: share },
      ],
    })),
  resolution: (item, { measures, day }) => {
    const user = Number(item.subject);
    const lastDay = item.evidence.find(({ code }) => code === "last_day")?.value ?? item.openedDay;
    return measures.userSeen(day, user, lastDay) || measures.hasSuccessor(day, user, lastDay) ? "recovered" : null;
  },
};

const featureDropped: Rule = {
  kind: "feature_dropped",
  severity: "low",
  silenceCooldownDays: FEATURE_WINDOW_DAYS,
  expiresAfterDays: EXPIRY_DAYS,
  find: ({ measures, day }) =>
    measures.droppedFeatures(day).map(({ feature, users, days, lastDay }) => ({
      subject: String(feature),
      evidence: [
        { code: "active_days", value: days },
        { code: "users", value: users },
        { code: "last_day", value: lastDay },
      ],
    })),
  resolution: ({ subject, openedDay }, { measures, day }) =>
    measures.featureDays(day, Number(subject), openedDay) >= FEATURE_BACK_DAYS ? "recovered" : null,
};

export const USER_AND_FEATURE_RULES: readonly Rule[] = [keyUserQuiet, featureDropped];

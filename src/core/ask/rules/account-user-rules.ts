/** Who was active at an account: how many, whether anybody was, and which of them. */
import { didThen, ofFeature } from "./account-use.ts";
import { ACTIVE_USERS, COUNTED, PERIODS, USERS, windowOfPeriod } from "./counting.ts";
import { eachOf, type Rule, withEach } from "./rule.ts";

export const ACCOUNT_USER_RULES: readonly Rule[] = [
  didThen("active_users", {
    counts: USERS,
    ways: ACTIVE_USERS,
    may: [...COUNTED, "distinct", "active", "use", "userMany", "activity", "send"],
    butNot: ["which", "who", "list", "names"],
  }),
  didThen("active_users", {
    counts: USERS,
    ways: [["howMany", "userMany"]],
    may: [...COUNTED, "distinct", "userMany"],
    needsTime: true,
    butNot: ["new"],
  }),
  didThen("active_users", {
    ...ofFeature,
    ways: [
      ["howMany", "userMany"],
      ["howMany", "activeUsers"],
    ],
    may: [...COUNTED, "distinct", "use", "event", "featureOne", "active", "activity", "usage", "who"],
    doers: USERS,
    counts: USERS,
    butNot: ["which"],
  }),
  didThen("active_users", {
    ...ofFeature,
    ways: [["userMany"], ["activeUsers"]],
    may: ["distinct", "use", "event", "featureOne", "active", "activity", "usage"],
    doers: USERS,
    counts: USERS,
    butNot: ["which", "who", "list", "show", "names", "what"],
  }),
  didThen("active_users", {
    ways: withEach([["anyone"]], eachOf("active", "use", "activity", "seen")),
    may: ["yesNo", "active", "use", "userMany"],
    butNot: ["which", "who"],
  }),
  didThen("active_users", {
    ...ofFeature,
    ways: [["anyone"]],
    may: ["yesNo", "use", "send", "event", "featureOne", "userMany"],
    butNot: ["which", "who"],
  }),
  ...PERIODS.map(({ concept, days, most }) =>
    didThen("active_users", {
      ways: [[concept]],
      may: COUNTED,
      plan: (slots) => {
        const window = windowOfPeriod(slots, days, most);
        return window === null ? null : { subject: "account", account: slots.account, measure: "active_users", window };
      },
    }),
  ),
  didThen("active_user_list", {
    ...ofFeature,
    ways: [["who"], ["who", "userMany"], ["listing", "userMany"], ["what", "userMany"]],
    may: ["userMany", "use", "event", "featureOne", "active", "send", "who", "type", "all"],
    doers: USERS,
    butNot: ["whose", "count", "number", "many", "most", "first", "last"],
  }),
  didThen("active_user_list", {
    ways: [
      ...withEach([["who"]], eachOf("active", "use", "activity", "activeUsers", "seen")),
      ...withEach(
        [
          ["listing", "userMany"],
          ["what", "userMany"],
          ["who", "userMany"],
        ],
        eachOf("active", "use", "activity", "activeUsers", "seen"),
      ),
      ["listing", "activeUsers"],
      ["who", "send", "thing"],
    ],
    may: ["userMany", "active", "use", "activity", "send", "thing", "who", "all"],
    butNot: ["whose", "count", "number", "many", "last", "first"],
  }),
];

/** What may be asked of what all accounts together did. */
import { ACTIVE_USERS, COUNTED, PERIODS, USERS, windowOfPeriod } from "./counting.ts";
import type { Concept } from "../lexicon/concept-words.ts";
import type { AskWindow, PortfolioPlan } from "../model.ts";
import { limited } from "./portfolio-rules.ts";
import { ABOUT_THEN, eachOf, type Rule, type Slots, withEach } from "./rule.ts";
import { SILENT_DAYS } from "../time/windows.ts";

const MAY: readonly Concept[] = [...ABOUT_THEN, "portfolio"];

const didThen = (plan: (slots: Slots) => PortfolioPlan | null, rule: Pick<Rule, "ways"> & Partial<Rule>): Rule => ({
  names: {},
  time: "past",
  plan,
  ...rule,
  may: [...MAY, ...(rule.may ?? [])],
});

const ACTIVE_WORDS = eachOf("active", "use", "activity", "seen", "event", "usage");
const ONE_OR_MORE = eachOf("accountMany", "accountOne");

const activeUsers = (window: AskWindow): PortfolioPlan => ({ subject: "portfolio", measure: "active_users", window });

export const PORTFOLIO_USE_RULES: readonly Rule[] = [
  didThen(({ window }) => ({ subject: "portfolio", measure: "active_accounts", window }), {
    counts: ["accountMany"],
    ways: withEach([["howMany", "accountMany"]], [...ACTIVE_WORDS, ["send", "thing"]]),
    may: [...COUNTED, "distinct", "send", "active", "yesNo"],
    butNot: ["which", "who"],
  }),
  didThen(({ window }) => ({ subject: "portfolio", measure: "active_account_list", window }), {
    ways: [...withEach([["accountMany"], ["listing", "accountMany"]], ACTIVE_WORDS), ["accountMany", "send", "thing"]],
    may: ["who", "send", "active", "accountMany", "use"],
  }),
  didThen(({ window }) => activeUsers(window), {
    counts: USERS,
    ways: ACTIVE_USERS,
    may: [...COUNTED, "distinct", "active", "use", "userMany", "accountMany"],
    butNot: ["which", "who", "list", "names"],
  }),
  didThen(({ window }) => activeUsers(window), {
    counts: USERS,
    ways: [["howMany", "userMany"]],
    may: [...COUNTED, "distinct", "userMany"],
    needsTime: true,
    butNot: ["new"],
  }),
  ...PERIODS.map(({ concept, days, most }) =>
    didThen(
      (slots) => {
        const window = windowOfPeriod(slots, days, most);
        return window === null ? null : activeUsers(window);
      },
      { ways: [[concept]], may: [...COUNTED, "accountMany"] },
    ),
  ),
  didThen(({ window }) => ({ subject: "portfolio", measure: "event_count", window }), {
    counts: ["event", "thing", "activity"],
    ways: [
      ["howMany", "event"],
      ["howMuch", "activity"],
      ["total", "event"],
      ["total", "activity"],
      ["howMany", "activity"],
      ["howMuch", "event"],
      ["event", "activity"],
      ["howMany", "thing"],
    ],
    may: [...COUNTED, "howMuch", "send", "recorded", "event", "accountMany", "use", "userMany"],
    butNot: ["which", "who"],
  }),
  didThen(({ window }) => ({ subject: "portfolio", measure: "event_count", window }), {
    ways: [["event"]],
    may: ["send", "recorded"],
    needsTime: true,
    butNot: ["which", "who", "what", "list", "show"],
  }),
  didThen(
    (slots) =>
      limited(slots, (limit) => ({
        subject: "portfolio",
        measure: "top",
        by: "activity",
        limit,
        window: slots.window,
      })),
    {
      counts: ["accountMany", "accountOne"],
      ways: withEach(withEach([["top"]], ONE_OR_MORE), eachOf("active", "activity", "event", "use")),
      may: ["by", "howMany", "who", "active", "activity", "event", "use", "send", "accountMany", "accountOne"],
      takesNumber: true,
    },
  ),
  moved("growing", "growth"),
  moved("declining", "decline"),
  didThen(
    (slots) =>
      limited(
        slots,
        (limit) => ({ subject: "portfolio", measure: "top_features", limit, window: slots.window }),
        "feature",
        "event",
      ),
    {
      counts: ["feature", "event"],
      ways: withEach([["feature"], ["event"]], eachOf("top", "popular")),
      may: ["use", "top", "popular", "by", "usage", "activity", "feature", "event", "send", "accountMany", "userMany"],
      takesNumber: true,
    },
  ),
  didThen(({ window }) => ({ subject: "portfolio", measure: "new_accounts", window }), {
    ways: [
      ["new", "accountMany"],
      ["new", "who"],
    ],
    may: [...COUNTED, "who", "accountMany", "new"],
  }),
  silentSince({ ways: withEach([["silent"]], eachOf("accountMany", "who")), may: [] }),
  silentSince({
    ways: [
      ...withEach([["not", "accountMany"]], eachOf("active", "activity", "use", "event", "seen", "send", "recorded")),
      ["who", "not", "active"],
    ],
    may: ["not", "thing", "send", "recorded", "event", "use", "activity", "active", "seen"],
  }),
];

/** Those whose events became more, or fewer, than in the window before. */
function moved(concept: "growing" | "declining", by: "growth" | "decline"): Rule {
  return didThen(
    (slots) =>
      limited(slots, (limit) => ({
        subject: "portfolio",
        measure: "top",
        by,
        limit,
        window: slots.window,
        before: slots.before,
      })),
    {
      ways: [
        ...withEach([[concept]], ONE_OR_MORE),
        ...withEach(withEach([[concept]], ONE_OR_MORE), eachOf("top", "activity", "use", "event")),
        [concept, "who", "top"],
      ],
      may: [
        "by",
        "who",
        "top",
        "activity",
        "event",
        "use",
        "usage",
        "accountMany",
        "accountOne",
        "send",
        concept,
        "where",
      ],
      takesNumber: true,
    },
  );
}

const TURNED = ["gone", "went", "going", "go", "fell", "fallen", "stopped", "became", "become", "turned", "ghosted"];

/** Said by a word for it, or by what was not done: not by both ("not silent"). */
function silentSince({ ways, may }: { ways: Rule["ways"]; may: readonly Concept[] }): Rule {
  return {
    names: {},
    ways,
    days: SILENT_DAYS,
    may: [...MAY, ...may, "who", "howMany", "accountMany", "total"],
    time: "silence",
    butNot: ["feature", "features", "never", "yet", "ever"],
    // "Who went quiet in October" was at work in it: that is not who was silent throughout.
    plan: ({ window, says }) =>
      window.phrase !== null && !/^(?:for|since)\b/i.test(window.phrase) && says(...TURNED)
        ? null
        : { subject: "portfolio", measure: "silent_since", window },
  };
}

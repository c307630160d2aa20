/** Rules of what one account did in a window: all that the rules by measure share. */
import { isStock } from "./counting.ts";
import { ABOUT_THEN, type Rule } from "./rule.ts";

type Windowed = "event_count" | "active_users" | "active_days" | "active_user_list" | "seat_use";

/** Of one account, as it was in a window. */
export function didThen(measure: Windowed, rule: Pick<Rule, "ways"> & Partial<Rule>): Rule {
  return {
    names: { account: 1 },
    time: "past",
    plan: (slots) => {
      const { account, window, feature } = slots;
      if (measure === "seat_use") return { subject: "account", account, measure, window };
      if (measure === "event_count" && isStock(slots)) return null;
      return { subject: "account", account, measure, window, ...(feature !== undefined && { feature }) };
    },
    ...rule,
    may: [...ABOUT_THEN, "accountOne", ...(rule.may ?? [])],
  };
}

export const ofFeature = { names: { account: 1, feature: 1 } } as const;

/**
 * Says what a new account has reached, and whether it is stuck (docs/health.md §11.16). It needs no configuration: the steps
 * follow from the seats and from the features that other accounts use.
 */
import { expectedFeatures, expectedUsers } from "./components.ts";
import type { Day, Stage } from "./model.ts";

/** An account without any progress for so many days is stuck. */
export const STUCK_DAYS = 14;

export interface FirstDays {
  kind: "company" | "solo";
  stage: Stage;
  seats: number | null;
  /** The day of the first message that named the account, and of its first event. */
  firstDay: Day;
  firstEventDay: Day | null;
  /** The first day of each user and of each core feature of the workspace, ascending. */
  userDays: readonly Day[];
  featureDays: readonly Day[];
  /** The number of core features of the workspace. */
  coreFeatures: number;
  /** Users in 28 days. */
  activeUsers: number;
}

export const STEPS = ["first_event", "second_user", "core_features", "seats"] as const;

export interface FirstStep {
  step: (typeof STEPS)[number];
  observed: number;
  expected: number;
  /** When the step was reached, if it was and has a day. */
  day: Day | null;
}

/** Lists the steps that can be expected of an account. A personal account or a single seat has no second user. */
export function firstSteps(account: FirstDays, today: Day): FirstStep[] {
  const { kind, seats, firstEventDay, userDays, featureDays } = account;
  const steps: FirstStep[] = [
    { step: "first_event", observed: firstEventDay === null ? 0 : 1, expected: 1, day: firstEventDay },
  ];
  if (kind === "company" && seats !== 1) {
    steps.push({ step: "second_user", observed: userDays.length, expected: 2, day: userDays[1] ?? null });
  }
  const features = expectedFeatures(account.coreFeatures, 1);
  if (features !== null) {
    const day = featureDays[features - 1] ?? null;
    steps.push({ step: "core_features", observed: featureDays.length, expected: features, day });
  }
  const users = seats === null ? null : expectedUsers(seats, today - account.firstDay);
  if (users !== null)
    steps.push({ step: "seats", observed: account.activeUsers, expected: Math.ceil(users), day: null });
  return steps;
}

export const isReached = ({ observed, expected }: FirstStep): boolean => observed >= expected;

/** An account that is below this share of what is expected may be stuck. */
const MISSING_BELOW: Readonly<Record<FirstStep["step"], number>> = {
  first_event: 1,
  second_user: 1,
  core_features: 0.5,
  seats: 0.5,
};

export const isMissing = ({ step, observed, expected }: FirstStep): boolean =>
  observed < expected * MISSING_BELOW[step];

/**
 * Returns for how many days nothing new has happened, if the account is stuck: a step is missing, and for `STUCK_DAYS` it
 * had no new user and no new core feature. `null` if it isn't stuck, or has churned.
 */
export function daysStuck(account: FirstDays, today: Day): number | null {
  const { stage, firstDay, firstEventDay, userDays, featureDays } = account;
  const days = today - Math.max(firstDay, firstEventDay ?? 0, userDays.at(-1) ?? 0, featureDays.at(-1) ?? 0);
  const mayBeStuck = stage !== "churned" && firstSteps(account, today).some(isMissing);
  return !mayBeStuck || days < STUCK_DAYS ? null : days;
}

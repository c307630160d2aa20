/** Generates workspaces of a few accounts over some weeks. */
import * as fc from "fast-check";

import { DAY_MS } from "../../../src/core/durations.ts";
import type { AccountAttributes, Message } from "../../../src/core/ingest/message.ts";
import { attributes, DAY, event } from "./runs.ts";

/** Long enough for a trend and some weeks after it. */
export const DAYS = 63;
export const FIRST_DAY = DAY - 63;

const FEATURES = ["report.exported", "board.shared", "login"];

/** A day by index, from 0. */
const day = fc.integer({ min: 0, max: DAYS - 1 });

const values: fc.Arbitrary<AccountAttributes> = fc.oneof(
  fc.constantFrom("trial", "active", "churned", "someday", null).map((stage) => ({ stage })),
  fc.constantFrom(1, 3, 5, 20, null).map((seats) => ({ seats })),
  fc.constantFrom(0, 10, 100, 500).map((mrr) => ({ mrr, currency: "USD" })),
  day.map((end) => ({ contractEndsAt: new Date((FIRST_DAY + 2 * end) * DAY_MS).toISOString() })),
  day.map((end) => ({
    stage: "trial",
    trialEndsAt: new Date((FIRST_DAY + end) * DAY_MS + 43_200_000).toISOString(),
  })),
);

/** The number of users from a day on, and how often they are active. */
const stretch = fc.record({ from: day, users: fc.constantFrom(0, 1, 2, 4, 6), everyDays: fc.constantFrom(1, 1, 2, 4) });

const account: fc.Arbitrary<Account> = fc.record({
  alone: fc.nat(4).map((number) => number === 0),
  stretches: fc.array(stretch, { minLength: 1, maxLength: 3 }),
  changes: fc.array(fc.tuple(day, values), { maxLength: 3 }),
});

/** The first account is always active from the start. */
const early = fc.record({
  from: fc.integer({ min: 0, max: 5 }),
  users: fc.integer({ min: 1, max: 4 }),
  everyDays: fc.constantFrom(1, 2),
});

/** An outage of the sender, in some workspaces. */
const outage = fc.option(
  fc
    .tuple(fc.integer({ min: 25, max: 55 }), fc.integer({ min: 3, max: 18 }))
    .map(([from, length]) => ({ from, length })),
  { freq: 2 },
);

/** All messages by day index, in order within a day. */
export const smallWorkspace: fc.Arbitrary<Message[][]> = fc
  .tuple(account, early, fc.array(account, { maxLength: 3 }), outage)
  .map(([some, start, others, out]) => {
    const first = { ...some, alone: false, stretches: [start, ...some.stretches] };
    return Array.from({ length: DAYS }, (_, place) => {
      const isOut = out !== null && place >= out.from && place < out.from + out.length;
      return isOut ? [] : [first, ...others].flatMap((one, number) => messagesOf(one, number, place));
    });
  });

interface Account {
  alone: boolean;
  stretches: { from: number; users: number; everyDays: number }[];
  changes: [day: number, AccountAttributes][];
}

function messagesOf({ alone, stretches, changes }: Account, number: number, place: number): Message[] {
  const name = `a${number}`;
  let moment = (FIRST_DAY + place) * DAY_MS + number * 600_000;
  const next = () => (moment += 1_000);
  const made = changes
    .filter(([when]) => when === place)
    .map(([, attributeValues]) =>
      alone
        ? event({
            type: "identify",
            userId: name,
            accountId: null,
            event: null,
            attributes: attributeValues,
            occurredAt: next(),
          })
        : attributes({ accountId: name, attributes: attributeValues, occurredAt: next() }),
    );
  const latest = stretches
    .filter(({ from }) => from <= place)
    .toSorted((a, b) => a.from - b.from)
    .at(-1);
  const isWorkday = (FIRST_DAY + place + 3) % 7 < 5;
  if (latest === undefined || !isWorkday || place % latest.everyDays !== 0) return made;
  const users = alone ? [name] : Array.from({ length: latest.users }, (_, user) => `${name}-u${user}`);
  for (const [user, userId] of users.entries()) {
    const feature = FEATURES[(place + user) % FEATURES.length] ?? "login";
    made.push(event({ userId, accountId: alone ? null : name, event: feature, occurredAt: next() }));
  }
  return made;
}

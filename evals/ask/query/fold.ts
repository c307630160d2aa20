/** Folds the messages of a world one by one. */
import { DAY_MS } from "../../../src/core/durations.ts";
import type { Json } from "../../../src/core/json.ts";
import { dimensionsOf, type Dimension, type TraitValue } from "../../../src/core/ask/query/dimensions.ts";
import type { Attribute, WorldMessage } from "./world.ts";

/** A value with the time and the index of the message that set it, which decide between values. */
interface ReportedValue {
  name: string;
  value: Json;
  at: number;
  index: number;
  /** It waited for the user's first account. Only the next fold adds it to the history. */
  hasWaited?: true;
}

export interface Account {
  kind: "company" | "solo";
  externalId: string;
  /** The day of the first message; `null` if there was none yet. */
  firstDay: number | null;
  attributes: ReportedValue[];
  traits: ReportedValue[];
}

export interface User {
  externalId: string;
  account: Account | null;
  traits: ReportedValue[];
}

export interface Event {
  account: Account;
  user: User | null;
  name: string;
  day: number;
}

export interface FoldedWorld {
  accounts: Account[];
  users: User[];
  events: Event[];
}

interface Member extends User {
  via: "group" | "named" | "solo" | null;
  grouped: ReportedValue | null;
  pending: ReportedValue[];
}

export const isLater = (a: ReportedValue, b: ReportedValue): boolean =>
  a.at > b.at || (a.at === b.at && a.index > b.index);

/** Finds the latest value of a name up to the end of a day. Returns `null` if it was never set, or was removed. */
export function latest(reports: readonly ReportedValue[], name: string, untilDay?: number): Json {
  const own = reports.filter(({ name: each, at, hasWaited }) => {
    const isPast = untilDay === undefined || (hasWaited !== true && Math.floor(at / DAY_MS) <= untilDay);
    return each === name && isPast;
  });
  return (
    own.reduce<ReportedValue | null>((last, each) => (last && isLater(last, each) ? last : each), null)?.value ?? null
  );
}

/** @param tail how many of the last messages the service hasn't folded yet */
export function foldMessages(messages: readonly WorldMessage[], tail: number): FoldedWorld {
  const accounts = new Map<string, Account>();
  const users = new Map<string, Member>();
  const events: Event[] = [];
  const accountOf = (kind: Account["kind"], externalId: string): Account => {
    const key = `${kind} ${externalId}`;
    const account = accounts.get(key) ?? { kind, externalId, firstDay: null, attributes: [], traits: [] };
    accounts.set(key, account);
    return account;
  };
  const userOf = (externalId: string): Member => {
    const blank = { externalId, account: null, traits: [], via: null, grouped: null, pending: [] };
    const user = users.get(externalId) ?? blank;
    users.set(externalId, user);
    return user;
  };

  for (const [index, message] of messages.entries()) {
    const { type, at } = message;
    const day = Math.floor(at / DAY_MS);
    const named = message.account === null ? null : accountOf("company", message.account);
    const user = message.user === null ? null : userOf(message.user);
    const personal = () => (user !== null && type === "track" ? accountOf("solo", user.externalId) : null);
    const account = named ?? user?.account ?? personal();
    const reports = (values: object): ReportedValue[] =>
      Object.entries(values).map(([name, value]) => ({ name, value, at, index }));

    (account?.attributes ?? user?.pending)?.push(...reports(message.attributes));
    (type === "identify" && user !== null ? user : account)?.traits.push(...reports(message.traits));
    if (account === null) continue;
    account.firstDay = Math.min(account.firstDay ?? day, day);
    if (message.event !== null) events.push({ account, user, name: message.event, day });
    if (user === null) continue;
    const isTail = index >= messages.length - tail;
    account.attributes.push(
      ...user.pending.splice(0).map((report) => ({ ...report, ...(isTail && { hasWaited: true as const }) })),
    );
    const grouped = { name: "", value: null, at, index };
    if (type === "group") {
      if (user.via !== "group" || user.grouped === null || isLater(grouped, user.grouped))
        Object.assign(user, { account, via: "group", grouped });
    } else if (user.account === null || (user.via === "solo" && named !== null))
      Object.assign(user, { account, via: named === null ? "solo" : "named" });
  }
  return { accounts: [...accounts.values()], users: [...users.values()], events };
}

/** Returns the dimensions of a world, with the texts that it ever had. */
export function dimensionsIn({ accounts, users }: FoldedWorld, owners: readonly string[] = []): Dimension[] {
  const texts = (name: Attribute) =>
    distinct(
      accounts.flatMap(({ attributes }) => attributes.filter((each) => each.name === name).map(({ value }) => value)),
    ).filter((value) => typeof value === "string");
  return dimensionsOf(
    new Map<string, readonly TraitValue[]>([
      ["plan", texts("plan")],
      ["currency", texts("currency")],
      ["owner", owners],
      ...traitsOf("account", accounts),
      ...traitsOf("user", users),
    ]),
  );
}

function traitsOf(
  of: "account" | "user",
  owners: readonly { traits: readonly ReportedValue[] }[],
): [string, TraitValue[]][] {
  return distinct(owners.flatMap(({ traits }) => traits.map(({ name }) => name))).flatMap((key) => {
    const values = distinct(owners.map(({ traits }) => latest(traits, key)).filter(isScalar));
    return values.length === 0 ? [] : [[`${of}.${key}`, values]];
  });
}

export const isScalar = (value: Json): value is string | number | boolean =>
  value !== null && typeof value !== "object";

export const distinct = <Value>(values: readonly Value[]): Value[] => [...new Set(values)];

/** From a template and what it is about to the words of a question. */
import { pick, type Random } from "../../simulator/random.ts";
import type { Account, Feature, User } from "../world/model.ts";
import type { Case, Slots } from "./model.ts";

const SLOT = /\{([a-z]+)('s|~)?\}/g;
const HINT = /\[(this account|this user|this feature|they|their|it)\]/;

/** How a thing is written in this question: all questions of a group may write it differently. */
export function rendered(
  template: string,
  { account, other, user, feature, words }: Slots,
  window: string,
  random: Random,
): { body: Case["body"] } {
  const fill: Record<string, string | undefined> = {
    ...words,
    window,
    account: written(account, random),
    other: written(other, random),
    user: written(user, random),
    feature: feature?.event,
    spoken: feature?.spoken,
    doing: feature?.doing,
    did: feature?.did,
  };
  const filled = template.replaceAll(SLOT, (slot: string, name: string, form: string | undefined) => {
    const value = fill[name];
    if (value === undefined) throw new Error(`nothing stands for ${slot} in "${template}"`);
    if (form === "'s") return value.endsWith("s") ? `${value}'` : `${value}'s`;
    return form === "~" ? withSlip(value) : value;
  });
  const hinted = HINT.test(filled);
  const question = tidied(filled.replace(HINT, "$1"));
  return { body: { question, ...(hinted ? hintOf(template, { account, user, feature }) : {}) } };
}

function written(named: Account | User | undefined, random: Random): string | undefined {
  const [first, ...others] = named?.asked ?? [];
  return first === undefined ? undefined : pick(random, [first, ...others]);
}

/** The hint is the subject's: of an account's question an account. */
function hintOf(
  template: string,
  { account, user, feature }: { account: Account | undefined; user: User | undefined; feature: Feature | undefined },
): Pick<Case["body"], "accountId" | "userId" | "feature"> {
  const isOwn = (slot: string) => !template.includes(`{${slot}`);
  if (account !== undefined && isOwn("account")) return { accountId: account.id };
  if (user !== undefined && isOwn("user")) return { userId: user.id };
  return feature === undefined ? {} : { feature: feature.event };
}

/** Without an empty window's gap, or what stood around it. */
const tidied = (text: string): string =>
  text
    .replaceAll(/\s+/g, " ")
    .replaceAll(/ ([?:,.])/g, "$1")
    .replaceAll(/,(?=[?:,.])|^[,:]|,$/g, "")
    .trim();

/** A letter left out of the inside of a name long enough to be known by the rest. */
function withSlip(name: string): string {
  const place = 3;
  return /^[A-Za-z][A-Za-z .-]{5,}$/.test(name) && /[a-z]/.test(name.charAt(place))
    ? name.slice(0, place) + name.slice(place + 1)
    : name;
}

/** Bodies that receivers got, and items with an MRR to tell of. */
import { NOW, type Outcomes } from "../support/outcomes.ts";
import { type Inbox, markOwner } from "./delivering.ts";

export interface List {
  count: number;
  items: { account: { externalId: string }; title: string; mrr: number; currency: string }[];
}

/** A payload, or a body for Slack or Teams: what the tests read of them. */
export interface Body {
  type: string;
  data: {
    item: { subject: unknown };
    account?: { identity?: unknown; attributes: { plan: string } };
    identity?: unknown;
    digest: { from: string; to: string } & Record<"opened" | "resolved" | "stillOpen" | "renewalsAtRisk", List>;
  };
  text: string;
  blocks: { text?: { text: string }; fields?: { text: string }[] }[];
  attachments: { content: { body: { text: string }[]; actions?: unknown } }[];
}

export const parse = (body: string): Body => JSON.parse(body);

/** Delivers everything. @returns the bodies */
export async function bodiesOf(inbox: Inbox, changes: { PUBLIC_URL?: string } = {}): Promise<Body[]> {
  await inbox.deliver(NOW, changes);
  return (await inbox.received()).map(({ body }) => parse(body));
}

/** Delivers the only notification. */
export async function bodyOf(inbox: Inbox, changes: { PUBLIC_URL?: string } = {}): Promise<Body> {
  const [body, ...more] = await bodiesOf(inbox, changes);
  if (body === undefined || more.length > 0) throw new Error(`${more.length} further requests arrived`);
  return body;
}

/** Returns the lines below a heading of a message to Slack. */
export function linesOf(body: Body | undefined, heading: string): string[] {
  const index = body?.blocks.findIndex(({ text }) => text?.text === `*${heading}*`) ?? -1;
  return index < 0 ? [] : (body?.blocks[index + 1]?.text?.text.split("\n") ?? []);
}

/** Adds an item about an account of its own, with an MRR. */
export async function addItem(
  outcomes: Outcomes,
  name: string,
  mrr: number,
  currency: string,
  fields: Parameters<Outcomes["item"]>[0],
) {
  const { number: account } = await outcomes.account(name, { attributes: { mrr, currency } });
  if (name === "mid") await markOwner(account, "Ann");
  return outcomes.item({ account, kind: "gone_silent", ...fields });
}

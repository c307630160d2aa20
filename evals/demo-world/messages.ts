/** Turns the story into compatibility messages, in the order in which they happened. */
import { startOf } from "../simulator/calendar.ts";
import type { SimulatedEvent } from "../simulator/model.ts";
import { type Random, randomOf } from "../simulator/random.ts";
import { useOf } from "./product.ts";
import type { Person, Story } from "./story.ts";

export interface Message {
  messageId: string;
  timestamp: string;
  type: "track" | "identify" | "group";
  userId: string;
  [field: string]: unknown;
}

interface Dated {
  at: number;
  message: Message;
}

/** Before the working day begins, and before an account reports its traits. */
const INTRODUCED_MS = 6 * 3_600_000;

export function messagesOf(stories: readonly Story[], happenings: readonly SimulatedEvent[], until: number): Message[] {
  const byAccount = Map.groupBy(happenings, ({ account }) => account);
  return stories
    .flatMap((story) => [...introductions(story, until), ...uses(story, byAccount.get(story.company.id) ?? [])])
    .toSorted((one, other) => one.at - other.at)
    .map(({ message }) => message);
}

/** Introduces each user: their role, and their company. */
function introductions(story: Story, until: number): Dated[] {
  return [...story.people.values()]
    .filter(({ from }) => from < until)
    .flatMap(({ id, role, from }) => {
      const at = startOf(from) + INTRODUCED_MS;
      const identify = dated(at, "who", { type: "identify", userId: id, traits: { role } });
      if (story.company.fate === "solo") return [identify];
      return [dated(at, "where", { type: "group", userId: id, groupId: story.company.id, traits: {} }), identify];
    });
}

function uses(story: Story, happenings: readonly SimulatedEvent[]): Dated[] {
  const random = randomOf(`${story.company.id}/uses`);
  return happenings.flatMap((happening) => {
    const { user, at, traits } = happening;
    if (traits !== null) return [traitsOf(story, happening, traits)];
    const person = story.people.get(user);
    return person === undefined ? [] : [trackOf(random, story, person, happening.day, at)];
  });
}

function trackOf(random: Random, story: Story, { id, habit }: Person, day: number, at: number): Dated {
  const { event, properties } = useOf(random, habit, story.featureChanges, day);
  return dated(at, event, { type: "track", userId: id, event, properties: properties(random), ...contextOf(story) });
}

/** Reports the traits of an account. Someone who works alone has no group: an identify carries the traits. */
function traitsOf(
  { company }: Story,
  { user, at }: SimulatedEvent,
  traits: NonNullable<SimulatedEvent["traits"]>,
): Dated {
  if (company.fate !== "solo") return dated(at, "told", { type: "group", userId: user, groupId: company.id, traits });
  const { stage, plan, seats, mrr, currency, ...others } = traits;
  const attributes = {
    accountStage: stage,
    accountPlan: plan,
    accountSeats: seats,
    accountMrr: mrr,
    accountCurrency: currency,
  };
  return dated(at, "told", { type: "identify", userId: user, traits: { ...others, ...attributes } });
}

const contextOf = ({ company }: Story) => (company.fate === "solo" ? {} : { context: { groupId: company.id } });

/** The id is made of who, when and what, so that every run sends the same id. */
function dated(at: number, what: string, content: Pick<Message, "type" | "userId"> & Record<string, unknown>): Dated {
  const messageId = `demo-${content.userId}-${at.toString(36)}-${what.replaceAll(" ", "")}`;
  return { at, message: { messageId, timestamp: new Date(at).toISOString(), ...content } };
}

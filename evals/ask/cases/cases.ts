/** All questions to a workspace: families × what they are about × phrasings. */
import { pick, type Random, randomOf } from "../../simulator/random.ts";
import { ANSWERABLE_HELD } from "../holdout/answerable.ts";
import { NEAR_MISSES_HELD } from "../holdout/near-misses.ts";
import { ANSWERABLE } from "../phrasings/answerable.ts";
import { NEAR_MISSES } from "../phrasings/near-misses.ts";
import { windowOf } from "../windows.ts";
import { ACCOUNT_STATE_FAMILIES } from "./account-state-families.ts";
import { ACCOUNT_USE_FAMILIES, ELSEWHERE } from "./account-use-families.ts";
import { COMPARISON_FAMILIES } from "./comparison-families.ts";
import { FEATURE_FAMILIES } from "./feature-families.ts";
import type { Case, Expected, Instance, Part, Told } from "./model.ts";
import { PORTFOLIO_FAMILIES } from "./portfolio-families.ts";
import { rendered } from "./render.ts";
import { DATA_MISSES } from "./data-misses.ts";
import { MEANING_MISSES } from "./meaning-misses.ts";
import type { Miss } from "./misses.ts";
import { USER_FAMILIES } from "./user-families.ts";

const FAMILIES = [
  ...ACCOUNT_STATE_FAMILIES,
  ...ACCOUNT_USE_FAMILIES,
  ...COMPARISON_FAMILIES,
  ...USER_FAMILIES,
  ...FEATURE_FAMILIES,
  ...PORTFOLIO_FAMILIES,
];
const OPEN_MISSES: Readonly<Partial<Record<Miss, readonly string[]>>> = NEAR_MISSES;
const HELD_MISSES: Readonly<Partial<Record<Miss, readonly string[]>>> = NEAR_MISSES_HELD;
const MISSES = [...DATA_MISSES, ...MEANING_MISSES];
/** What each workspace is asked: how many instances of a family. */
const INSTANCES: Readonly<Record<string, number>> = { northbeam: 2, meridian: 2, carnival: 1, stopped: 1 };
/** A health that is frozen is told as it stands; nothing else is special about a sender that stopped. */
const ASKED_OF_STOPPED = /^account\.(?:health|health_why|last_seen|plan|event_count)$/;

export function casesOf(world: Told["world"], outcomes: Told["outcomes"], seed: number): Case[] {
  return [...answerable(world, outcomes, seed), ...unanswerable(world, outcomes, seed)];
}

function answerable(world: Told["world"], outcomes: Told["outcomes"], seed: number): Case[] {
  const limit = INSTANCES[world.name] ?? 0;
  return FAMILIES.filter(({ id }) => world.name !== "stopped" || ASKED_OF_STOPPED.test(id)).flatMap((family) => {
    const told = toldOf(world, outcomes, `${seed}/${world.name}/${family.id}`);
    // The same words for the same question asked from elsewhere.
    const words = family.id === ELSEWHERE ? "account.event_count" : family.id;
    const { more = [], ...styles } = ANSWERABLE[words] ?? {};
    const open = [...Object.entries(styles), ...more.map((template) => ["more", template] as const)];
    const held = (ANSWERABLE_HELD[words] ?? []).map((template) => ["held apart", template] as const);
    return family
      .instances(told)
      .slice(0, limit)
      .flatMap((instance, place) => {
        const group = `${world.name}/${family.id}/${place}`;
        const make = (part: Part, phrasings: readonly (readonly [string, string])[]) =>
          phrasings.map(([style, template]) => ({
            ...questionOf(template, instance, told, part),
            world,
            part,
            family: family.id,
            group,
            style,
            expected: instance.expected,
          }));
        return [...make("open", open), ...make("held_apart", held)];
      });
  });
}

function unanswerable(world: Told["world"], outcomes: Told["outcomes"], seed: number): Case[] {
  return MISSES.filter(({ worlds }) => worlds.includes(world.name)).flatMap(({ miss, reasons, instances }) => {
    const told = toldOf(world, outcomes, `${seed}/${world.name}/${miss}`);
    const expected: Expected = { knows: false, reasons };
    const make = (part: Part, templates: readonly string[]) =>
      templates.flatMap((template) =>
        // What is drawn is drawn anew for each, so that many are asked about.
        instances(told).map((instance, place): Case => {
          const { body } = questionOf(template, { ...instance, expected }, told, part);
          const hint =
            instance.hintId !== undefined && body.accountId !== undefined ? { accountId: instance.hintId } : {};
          return {
            world,
            part,
            family: `miss.${miss}`,
            group: `${world.name}/${miss}/${place}`,
            style: "near miss",
            body: miss === "unknown_hint" ? { ...body, ...hint } : body,
            expected,
          };
        }),
      );
    return distinct([...make("open", OPEN_MISSES[miss] ?? []), ...make("held_apart", HELD_MISSES[miss] ?? [])]);
  });
}

const toldOf = (world: Told["world"], outcomes: Told["outcomes"], stream: string): Told => ({
  world,
  outcomes,
  random: randomOf(stream),
  today: Math.floor(world.now / 86_400_000),
});

function questionOf(template: string, instance: Instance, { world, random }: Told, part: Part): Pick<Case, "body"> {
  const window = instance.windowWords ?? wordsOf(instance, world.now, random, part);
  const { body } = rendered(template, instance.slots, window, random);
  return { body: instance.timezone === undefined ? body : { ...body, timezone: instance.timezone } };
}

/** In the part held apart, one time in two in words that are held apart too, where there are any. */
function wordsOf({ window }: Instance, now: number, random: Random, part: Part): string {
  if (window === undefined) return "";
  const { open, held } = windowOf(window, now);
  const [first = "", ...others] = part === "held_apart" && held.length > 0 && random() < 0.5 ? held : open;
  return pick(random, [first, ...others]);
}

/** A question that has nothing drawn in it is asked once. */
function distinct(cases: readonly Case[]): Case[] {
  const seen = new Set<string>();
  return cases.filter(({ world, body }) => {
    const key = JSON.stringify([world.name, body]);
    return seen.has(key) ? false : seen.add(key) !== undefined;
  });
}

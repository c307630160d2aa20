/**
 * A workspace of opaque ids whose companies and people are known by identity traits only: two companies of one name,
 * two people of one name, attributes partly missing, and more than one currency.
 */
import { DAY_MS, atHour, dayOf } from "../calendar.ts";
import { type AccountSketch, buildWorld, type UserSketch } from "./build.ts";
import { PROJECTS } from "./features.ts";
import type { Attributes, World } from "./model.ts";

const NAMES =
  "Alex Chen|Dana Whitfield|Samuel Ortiz|Alex Chen|Yuki Mori|Beatriz Campos|Noah Lindqvist|Farah Aziz|Peter Novotny|Clara Dubois|Mateo Rivas|Hana Kowalski|Oliver Stone|Leila Haddadi|Victor Hugo Paz|Greta Nilsson|Amir Sultani|Rosa Delgado|Kenji Watanabe|Paula Ferreira|Tom May|Ida Brandstrup|Marco Bellini|April Summers|Lucas Moreira|Esther Adeyemi|Jan de Vries|Nina Petrenko|Will Price|Zoe Papadakis".split(
    "|",
  );

const paid = (plan: string, mrr: number, currency: string): Attributes => ({
  stage: "customer",
  plan,
  mrr,
  currency,
});

export function meridian(now: number, seed: number): World {
  let taken = 0;
  const team = (count: number): UserSketch[] =>
    Array.from({ length: count }, () => {
      const place = taken;
      taken += 1;
      const id = `u-${2_001 + place}`;
      const name = NAMES[place];
      const isShared = name === "Alex Chen";
      return {
        id,
        ...(name === undefined ? {} : { name, email: `person${place}@meridian-client.test` }),
        // A name of two people names neither.
        asked: name === undefined || isShared ? [id] : [name, `user ${id}`, `person${place}@meridian-client.test`],
        traits: place % 3 === 0 ? {} : { department: ["sales", "finance", "support"][place % 3] ?? "sales" },
      };
    });
  const accounts: AccountSketch[] = [
    {
      id: "org_1001",
      company: "Contoso",
      age: 90,
      users: team(5),
      attributes: { ...paid("Pro", 900, "USD"), seats: 9 },
      traits: { segment: "mid-market", country: "Spain" },
    },
    {
      id: "org_1002",
      company: "Fabrikam",
      age: 90,
      course: "growing",
      users: team(5),
      attributes: { ...paid("Pro", 1_100, "EUR"), seats: 8 },
      traits: { segment: "enterprise" },
    },
    {
      id: "org_1003",
      company: "Northwind Traders",
      age: 88,
      course: "declining",
      users: team(6),
      attributes: { ...paid("Team", 350, "EUR"), seats: 10 },
    },
    {
      id: "org_1004",
      company: "Acme",
      asked: ["org_1004"],
      age: 90,
      users: team(3),
      attributes: paid("Team", 240, "USD"),
    },
    {
      id: "org_1005",
      company: "Acme",
      asked: ["org_1005"],
      age: 70,
      users: team(3),
      attributes: paid("Pro", 520, "USD"),
    },
    {
      id: "org_1006",
      company: "Tailspin Toys",
      age: 90,
      course: "silent",
      users: team(4),
      attributes: { ...paid("Team", 300, "GBP"), seats: 6 },
    },
    { id: "org_1007", company: "Litware", age: 60, users: team(3), attributes: { stage: "customer", plan: "Team" } },
    {
      id: "org_1008",
      company: "Proseware",
      age: 50,
      users: team(4),
      attributes: { stage: "customer", seats: 7, mrr: 410, currency: "USD" },
      traits: { country: "Norway" },
    },
    {
      id: "org_1009",
      company: "Adatum",
      age: 18,
      users: team(3),
      attributes: { stage: "trial", seats: 4, trialEndsAt: now + 6 * DAY_MS },
    },
    {
      id: "org_1010",
      company: "Lucerne Publishing",
      age: 25,
      users: team(3),
      attributes: { stage: "trial", trialEndsAt: now + 17 * DAY_MS },
      traits: { country: "Chile" },
    },
    { id: "org_1011", company: "Wide World Importers", age: 4, users: team(2), attributes: { stage: "trial" } },
    {
      id: "org_1012",
      company: "Summer & Co",
      age: 80,
      users: team(4),
      attributes: { ...paid("Team", 280, "EUR"), seats: 5 },
    },
    { id: "fourth-coffee", age: 75, users: team(3), attributes: paid("Team", 200, "EUR") },
    { id: "Fourth Coffee", asked: [], age: 66, users: team(2), attributes: {} },
  ];
  const today = dayOf(now);
  return buildWorld({
    name: "meridian",
    now,
    seed,
    accounts,
    features: PROJECTS,
    // Some weeks ago, after midnight, and once more in the morning: a part of today is folded.
    recomputes: [atHour(today - 30, 0) + 300_000, atHour(today, 0) + 300_000, atHour(today, 10)],
  });
}

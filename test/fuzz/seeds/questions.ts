/** Questions, most of which have an answer. */
import type { Chance } from "../chance.ts";
import type { Seed } from "../request.ts";
import { account, user } from "./ingest.ts";

const TEMPLATES = [
  "How many events did A have last week?",
  "How healthy is A?",
  "Why is A at risk?",
  "What changed with A?",
  "What's in the inbox for A?",
  "What stage is A in?",
  "Who was active in A this month?",
  "Is A growing?",
  "Compare A this month with last month",
  "Is A healthier than B?",
  "When was U last seen?",
  "Which account is U in?",
  "Who uses report.exported?",
  "What share of accounts uses report.exported?",
  "Which accounts have been silent for 10 days?",
  "Trials ending within 14 days",
  "Top 5 accounts by activity this month",
  "What is the industry of A?",
  "What is the total MRR by currency?",
  "How many reports did this account export since Monday?",
  "Will A churn?",
];
const ZONES = ["UTC", "Europe/Madrid", "Pacific/Kiritimati", "America/St_Johns", "Etc/GMT+12", "utc"];

export function questionSeed(chance: Chance, key: string): Seed {
  const asked = chance
    .pick(TEMPLATES)
    .replace("A", account(chance))
    .replace("B", account(chance))
    .replace("U", user(chance));
  const beside = {
    ...(chance.happens(30) ? { accountId: account(chance) } : {}),
    ...(chance.happens(20) ? { userId: user(chance) } : {}),
    ...(chance.happens(20) ? { feature: "report.exported" } : {}),
    ...(chance.happens(40) ? { timezone: chance.pick(ZONES) } : {}),
  };
  return {
    method: "POST",
    target: chance.pick(["/api/v1/ask", "/api/ask"]),
    headers: [
      ["Authorization", `Bearer ${key}`],
      ["Content-Type", "application/json"],
    ],
    json: JSON.stringify({ question: asked, ...beside }),
  };
}

/** Vetoes on queries that say less than the words of their question. */
import { foldedOf } from "../words/split-words.ts";
import type { Veto, VetoContext } from "./veto.ts";

const saidIn = ({ words }: VetoContext): string => foldedOf(words, { from: 0, to: words.length });

const asks = (pattern: RegExp, context: VetoContext): boolean => pattern.test(saidIn(context));

/** Combinations of a number and a list, or of several numbers, which one query has no place for; and words with two meanings. */
export const WORDING_VETOES: readonly Veto[] = [
  {
    example: "how many accounts are in emea, and which are at risk",
    reason: "Which ones they are is a second question.",
    vetoes: ({ show }, context) => show === "count" && asks(/\bhow many\b.*\band (?:which|who)\b/, context),
  },
  {
    example: "APAC. How many customers, how many at risk, how much MRR?",
    reason: "Each number is a question of its own.",
    vetoes: ({ show }, context) =>
      (show === "count" || show === "value") && asks(/\bhow (?:many|much)\b.*\bhow (?:many|much)\b/, context),
  },
  {
    example: "who was on yesterday at Vela",
    reason: "It asks for people, and a summary is about the account.",
    vetoes: ({ show, find }, context) => show === "summary" && find === "accounts" && asks(/\bwho\b/, context),
  },
  {
    example: "tell me about the customer",
    reason: "It is about one customer, and doesn't say which.",
    vetoes: ({ where }, context) =>
      where.every(({ dimension }) => dimension === "stage") && asks(/ about the (?:account|client|customer)$/, context),
  },
  {
    example: "exports of the Lumen team in October",
    reason: "The team of an account is its people, and not a plan.",
    vetoes: ({ where }, { words }) =>
      where.some(({ dimension, is }) => dimension === "account" && is !== undefined) &&
      where.some(({ dimension }) => dimension === "plan") &&
      words.some(
        ({ raw }, at) => raw === "team" && at > 0 && !/^(?:on|the|a|plan|to)$/.test(words[at - 1]?.folded ?? ""),
      ),
  },
  {
    example: "who added the most alerts in November",
    reason: "Adding them is creating them, and no growth.",
    vetoes: ({ order, where }, context) =>
      order?.by === "change" &&
      where.some(({ dimension }) => dimension === "event") &&
      asks(/\badd(?:s|ed|ing)?\b/, context),
  },
  {
    example: "renewing inside 60 days and usage falling, list",
    reason: "A list has a row for each account, and a comparison only has the total.",
    vetoes: ({ show, compare }, context) => show === "value" && compare !== undefined && asks(/\blist\b/, context),
  },
  {
    example: "how many contracts have no end date on file",
    reason: "The end of a contract isn't that of a trial.",
    vetoes: ({ where }, context) =>
      where.some(({ dimension }) => dimension === "trial_ends") && asks(/^(?!.*\btrial).*\bcontracts?\b/, context),
  },
  {
    example: "customers with zero MRR",
    reason: "Zero is an amount that is known.",
    vetoes: ({ where }, context) =>
      where.some(({ dimension, isUnknown }) => dimension === "mrr" && isUnknown === true) && asks(/\bzero\b/, context),
  },
  {
    example: "active users per account last week, everything under 3, paying only",
    reason: "The number before a comma isn't what they pay.",
    vetoes: ({ where }, { words }) =>
      where.some(({ dimension }) => dimension === "mrr") &&
      words.some(
        ({ folded, isAfterStop }, at) =>
          isAfterStop && folded.startsWith("pay") && /^\d/.test(words[at - 1]?.folded ?? ""),
      ),
  },
  {
    example: "new users who first appeared in the last 14 days, by account",
    reason: "They are asked for by account.",
    vetoes: ({ find, show, per, with: columns = [], order }, context) =>
      find === "users" &&
      show === "list" &&
      per === undefined &&
      order?.by !== "account" &&
      !columns.includes("account") &&
      asks(/\b(?:by|per) (?:account|company|customer)\b/, context),
  },
];

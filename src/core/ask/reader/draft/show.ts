/** Decides what a query shows: a list, a number, a date, or a yes or no. */
import type { Filter, Show } from "../../query/model.ts";
import type { Draft, Piece } from "../fragments/fragments.ts";
import type { Pieces } from "../fragments/pieces.ts";
import { isA } from "../fragments/pieces.ts";
import { foldedOf, type Word } from "../words/split-words.ts";
import { type DraftContext, findsOneEntity, filtersOn, namesSeveralEntities, dimensionType } from "./context.ts";
import type { QuestionShape } from "./question-shape.ts";
import { takeItemDates, groupItems, chooseRanking } from "./rank.ts";

/** Takes all measures, forms and aggregates that the query has a place for. */
export function takeShow(
  pieces: Pieces,
  draft: Draft,
  shape: QuestionShape,
  words: readonly Word[],
  context: DraftContext,
): void {
  const find = draft.find ?? "accounts";
  if (find === "accounts" && filtersOn(draft, /^(?:item_kind|severity)$/))
    draft.where = draft.where.filter(({ dimension, is }) => dimension !== "status" || is !== "open");
  if (find === "items") takeItemDates(draft);
  const forms = pieces.all("form");
  // "How many trials are there, and how many end": two questions.
  if (forms.filter(({ show }) => show === "count").length > 1) return;
  // "How much did we lose to churn" doesn't count accounts.
  const isAmount = forms.some((form) => foldedOf(words, form) === "how much") && !pieces.has("measure");
  if (isAmount && find === "accounts") return;
  // "Who hasn't exported anything", "trials without any export": neither asks for yes or no.
  const [first] = forms;
  const isAny = (form: Piece): boolean =>
    isA(form, "form", "yes_no") &&
    ((form !== first && first?.show === "list") ||
      (form.from > 0 && form.to < words.length && words[form.from]?.folded.startsWith("any") === true));
  const asked = new Set(forms.filter((form) => !isAny(form)).map(({ show }) => show));
  const measures = pieces.remaining.filter((piece) => isA(piece, "measure") || isA(piece, "dimension"));
  // "The scores of our finance accounts": each of them.
  if (shape.hasNoun && measures.some(({ to }) => words[to - 1]?.folded === "scores")) asked.add("list");
  const names = [...new Set(measures.map((piece) => (piece.type === "measure" ? piece.measure : piece.dimension)))];
  const [aggregate, ...others] = pieces.all("aggregate");
  if (others.some((each) => each.aggregate !== aggregate?.aggregate)) return;

  // "Average exports per account".
  if (aggregate !== undefined && names.length === 0 && /^(?:accounts|users)$/.test(find) && filtersOn(draft, /^event$/))
    draft.measure ??= "events";
  const shownFrom = measures.findIndex(
    // "Nearest to its contract end" ranks.
    (piece) =>
      isA(pieces.before(piece), "with") ||
      /^(?!to ).*\b(?:with|their|its)$/.test(foldedOf(words, { from: Math.max(piece.from - 2, 0), to: piece.from })),
  );
  chooseRanking(draft, names, find, context, shownFrom < 0 ? [] : names.slice(shownFrom));
  groupItems(draft, names, find, asked);
  const shown = names.filter((name) => name !== draft.per);
  draft.measure ??= shown[0] ?? (draft.show === "list" && draft.compare !== undefined ? "events" : undefined);
  // "Who exported most, with their account": only the measure can be an account.
  if (find === "users" && shown.includes("account")) draft.measure = "account";
  const columns = shown.filter((name) => name !== draft.measure);
  if (columns.length > 0) draft.with = columns;
  // "On how many days was it active": "active" belongs to the measure and isn't a filter.
  if (/^(?:active_days|active_users|last_seen)$/.test(draft.measure ?? ""))
    draft.where = draft.where.filter((each) => each.dimension !== "active" || each.is !== true || each.window);
  const isOfAny = forms.some((form) => /\bany/.test(foldedOf(words, form)));
  if (asked.has("yes_no") && !shape.hasNoun && !shape.hasWho && !isOfAny) compareTotal(draft);
  const show = draft.show ?? showOf(pieces, draft, shape, asked, context);
  // "How many accounts have grown" isn't which.
  const isOtherForm =
    asked.has("count") && show === "list" && find !== "features" && !draft.where.some(namesSeveralEntities);
  if (show === null || isOtherForm) return;
  draft.show = show;
  // "Accounts with their renewal date": the next one first.
  if (show === "list" && isOfEnd(draft.measure ?? "", context) && !findsOneEntity(draft))
    draft.order ??= { by: draft.measure ?? "", direction: "up" };
  // "Why isn't it healthy", "why did it become red": the explanation gives the state, so the filter on it is dropped.
  if (show === "why" && filtersOn(draft, /^account$/))
    draft.where = draft.where.filter((filter) => !isPoorHealth(filter));
  if (show === "why" && (draft.measure === "score" || draft.measure === "health")) delete draft.measure;
  if (draft.measure === undefined) delete draft.measure;
  pieces.take(...measures, ...forms, ...pieces.all("with"));
  if (aggregate === undefined) return;
  const isUsual = aggregate.aggregate === (draft.measure === "score" ? "average" : "sum");
  const isShown = show === "value" && (find !== "events" || isUsual);
  // "Top accounts by total events": it is a sum anyway.
  // "The sum" is one of amounts.
  const isCounted = show === "count" && !/^(?:sum|add)/.test(foldedOf(words, aggregate));
  const isSum = aggregate.aggregate === "sum" && (isCounted || (show === "list" && draft.measure !== undefined));
  // "Is the average score higher".
  const isCompared = show === "yes_no" && isUsual && draft.compare !== undefined;
  if (isShown || isSum || isCompared) pieces.take(aggregate, ...others);
  if (!isShown) return;
  // "Events in total": of all time, not of the default window.
  if (find === "events" && draft.per === undefined && draft.compare === undefined) draft.window ??= { all: true };
  if (!isUsual) draft.aggregate = aggregate.aggregate;
}

/** "Did seats grow": the total, and not whether an account's did. */
function compareTotal(draft: Draft): void {
  const change = draft.where.find(({ changed }) => changed !== undefined);
  const isPlain = [draft.measure, draft.compare, draft.order, change?.window].every((each) => each === undefined);
  if (change === undefined || !isPlain || draft.find !== "accounts" || filtersOn(draft, /^account$/)) return;
  draft.where = draft.where.filter((filter) => filter !== change);
  draft.measure = change.dimension;
  draft.compare = { to: "before" };
  draft.order = { by: "change", direction: change.changed === "up" ? "down" : "up" };
}

const isOfEnd = (name: string, context: DraftContext): boolean =>
  dimensionType(name, context) === "date" && !name.endsWith("_seen");

/** @returns `null` if the form of the question doesn't fit what it asks for */
function showOf(
  pieces: Pieces,
  draft: Draft,
  shape: QuestionShape,
  asked: ReadonlySet<Show>,
  context: DraftContext,
): Show | null {
  const { find, measure, where, order, per, compare } = draft;
  const entity = find === "users" ? "user" : "account";
  const subject = where.some((filter) => filter.dimension === entity && (filter.is ?? filter.in) !== undefined);
  if (asked.has("summary") && asked.has("yes_no") && measure === undefined && subject)
    return where.length > 1 ? "yes_no" : "summary";
  const isActiveSubject = subject && where.some(({ dimension }) => dimension === "active");
  const hasChange = where.some(({ became, changed }) => (became ?? changed) !== undefined);
  const type = measure === undefined ? undefined : (dimensionType(measure, context) ?? "number");
  const isNumber = type === "number" || type === "percent";
  const isYesNo = asked.has("yes_no") && !asked.has("count");
  const comesUp = order?.by === "change" && order.direction === "down";
  if (asked.has("why")) return "why";
  // "When was this notice opened": lists of items say so.
  const isOfOpened = find === "items" && where.every(({ dimension, is }) => dimension !== "status" || is === "open");
  if (asked.has("when") && isOfOpened && measure === undefined && order === undefined) return "list";
  if (asked.has("when")) {
    // "Which accounts churned, and when were they last seen".
    const [form] = pieces.all("form");
    const isDated = [measure ?? "", ...(draft.with ?? [])].some((name) => dimensionType(name, context) === "date");
    if (isDated && !subject && form?.show === "list") return "list";
    // "What plan are they on, and when does the contract end".
    if (draft.with !== undefined && subject) return "list";
    // "The trial ends when, is anyone using it": two questions.
    const isOfOthers = find === "users" && /^(?:trial_ends|contract_ends|account\.)/.test(measure ?? "");
    if (measure !== undefined) return type === "date" && !isActiveSubject && !isOfOthers ? "when" : null;
    draft.window ??= { all: true };
    return "when";
  }
  // "An overview per account".
  if (find === "events" && asked.has("summary") && measure === undefined && !shape.hasEvent) return null;
  if (find === "events") {
    const isWhether = compare !== undefined ? order !== undefined : measure === undefined;
    draft.measure ??= "events";
    if (comesUp) delete draft.order;
    // "Show me usage" names no account, user or time.
    const isAnything = where.length > 0 || [draft.window, per, compare].some((each) => each !== undefined);
    if (!isAnything && !asked.has("count") && !pieces.has("aggregate")) return null;
    return isYesNo && per === undefined && isWhether ? "yes_no" : "value";
  }
  // "How many customers do we have, and what is their MRR": two questions.
  const { counted } = shape;
  if (asked.has("count") && isA(counted, "find") && counted.find === find && measure !== undefined) return null;
  if (per !== undefined) return measure === undefined ? "count" : "value";
  if (compare !== undefined) {
    // "How many accounts churned last month against the month before": neither is a number of events.
    const isOfStates = (order === undefined || !asked.has("list")) && filtersOn(draft, /^(?:stage|health|active)$/);
    if (measure === undefined && (asked.has("count") || isOfStates)) return null;
    draft.measure ??= "events";
    // Without a noun, the question is about the total or average, not about each account.
    const isOfOne = subject && where.every((filter) => filter.in === undefined);
    const isOne = find !== "features" && (isOfOne || !(shape.hasNoun || shape.hasWho));
    if (isOne && (comesUp || !isYesNo)) delete draft.order;
    if (isOne) return isYesNo && order !== undefined ? "yes_no" : "value";
    if (isYesNo && find === "features") return null;
    // "Who changed", "which accounts changed seats" ask for neither the gain nor the loss.
    const isOfEach = shape.hasWho || (asked.has("list") && shape.hasNoun);
    return order !== undefined ? "list" : isOfEach ? null : "value";
  }
  if (measure !== undefined && order === undefined && pieces.has("aggregate")) return "value";
  // "What plans do we have", "how many currencies are there".
  const isAlone = order === undefined && draft.with === undefined && !pieces.has("with");
  const isOfAll = where.length === 0 && !pieces.has("find") && (asked.has("list") || asked.has("count"));
  if (isAlone && isOfAll && (find === "accounts" || find === "users") && (type === "text" || type === "code")) {
    draft.per = measure;
    delete draft.measure;
    return "count";
  }
  // "How many exports did Lumen have, and how many Kestrel": both of them.
  const listsEntities = order !== undefined && where.some(namesSeveralEntities);
  // "Total users".
  const isTotalled = !subject && pieces.all("aggregate").some((each) => each.aggregate === "sum");
  if (measure === undefined && order === undefined && isTotalled) return "count";
  if (asked.has("count") && !listsEntities)
    return measure === undefined ? (order === undefined ? "count" : null) : find === "items" ? null : "value";
  if (measure !== undefined || order !== undefined) {
    if (isActiveSubject && measure !== undefined) return null;
    const isBounded = where.some(({ dimension }) => dimension === measure);
    const isTotal = isNumber && isAlone && !isBounded && !subject && !asked.has("list") && !shape.startsWithNoun;
    return isTotal && find === "accounts" ? "value" : "list";
  }
  // "Has anybody at Lumen …": says something of its users.
  const isBare = subject && where.length === 1 && !(shape.hasWho && asked.has("yes_no"));
  if ((asked.has("summary") || isBare) && find === "items") return "list";
  const isOfMany = find === "accounts" && shape.hasNoun && !shape.hasEvent && !hasChange;
  if (asked.has("summary") || isBare) return subject || find === "features" || isOfMany ? "summary" : null;
  if (findsOneEntity(draft) && asked.has("list")) return null;
  const isListed = pieces.all("form").some(({ show, who }) => show === "list" && who === undefined);
  if (asked.has("yes_no")) return isListed ? "list" : "yes_no";
  return subject && !shape.hasWho && !asked.has("list") && find === "accounts" ? "yes_no" : "list";
}

const isPoorHealth = ({ dimension, isNot, in: several, asOf, became }: Filter): boolean =>
  dimension === "health" &&
  (isNot === "healthy" || (several ?? asOf) !== undefined || became === "at_risk" || became === "watch");

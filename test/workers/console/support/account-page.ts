/** What the page of one account says. */
import { DAY, DAY_MS } from "../../support/outcomes.ts";
import { textOf } from "./page-text.ts";

export const summary = (html: string): string =>
  textOf(/<section class="card" aria-label="Summary">(.*?)<\/section>/s.exec(html)?.[1] ?? "").trim();

/** The entries of the timeline. */
export const timeline = (html: string): string[] =>
  [...html.matchAll(/<li class="[\w -]+"><time class="note" datetime="([^"]*)">[^<]*<\/time><p>([^<]*)<\/p>/g)].map(
    ([, day = "", text = ""]) => `${day} ${text}`,
  );

/** A date some days before the newest scored day. */
export const dateBefore = (days: number) => new Date((DAY - days) * DAY_MS).toISOString().slice(0, 10);

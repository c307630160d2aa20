/** Messages to ask about, and what the page of questions shows. */
import { textOf } from "./page-text.ts";

export const track = (accountId: string, event = "report.exported", userId = `${accountId}-u1`) => ({
  type: "track",
  accountId,
  userId,
  event,
});
export const group = (groupId: string, traits: Record<string, unknown>) => ({
  type: "group",
  userId: `${groupId}-u1`,
  groupId,
  traits,
});

const ENTITIES: Readonly<Record<string, string>> = { quot: '"', "#39": "'", lt: "<", gt: ">", amp: "&" };

/** The buttons that ask, with what they send. */
export const buttonsOn = (html: string): { text: string; sent: Record<string, string> }[] =>
  [...html.matchAll(/<button type="submit" name="(\w+)" value="([^"]*)">(.*?)<\/button>/gs)].map(
    ([, name = "", value = "", text = ""]) => ({
      text: textOf(text),
      sent: { [name]: value.replaceAll(/&(quot|#39|lt|gt|amp);/g, (entity, code) => ENTITIES[code] ?? entity) },
    }),
  );

/** The question in the form. */
export const questionOn = (html: string): string => textOf(/id="q"[^>]* value="([^"]*)"/.exec(html)?.[1] ?? "");

/** The visible text of a page. */

const ENTITIES: Record<string, string> = { "&lt;": "<", "&gt;": ">", "&quot;": '"', "&#39;": "'", "&amp;": "&" };

/** Replaces tags and white space by single spaces. */
export const textOf = (html: string): string =>
  html
    .replaceAll(/<[^>]*>/g, " ")
    .replaceAll(/&(lt|gt|quot|#39|amp);/g, (entity) => ENTITIES[entity] ?? entity)
    .replaceAll(/\s+/g, " ")
    .replaceAll(/ (?=[.,;:](\s|$))/g, "");

/** Returns the second-level headings. */
export const titlesOn = (html: string): string[] =>
  [...html.matchAll(/<h2[^>]*>(.*?)<\/h2>/gs)].map(([, title]) => textOf(title ?? ""));

export const bytesOf = (html: string): number => new TextEncoder().encode(html).byteLength;

/** The text of the card with this heading. */
/** The text of the card with this heading. */
export function card(html: string, title: string): string {
  const found = html.split("<section").find((part) => part.includes(`<h2>${title}</h2>`));
  if (found === undefined) throw new Error(`there is no card ${title}`);
  return textOf(found.slice(found.indexOf(">") + 1)).trim();
}

/** The id of an owner in the filter of a page. */
export const ownerIdOn = (html: string, name: string): string => {
  const [, options = ""] = /<select[^>]*name="owner"[^>]*>(.*?)<\/select>/s.exec(html) ?? [];
  return [...options.matchAll(/<option value="([^"]*)"[^>]*>([^<]*)/g)].find(([, , text]) => text === name)?.[1] ?? "";
};

/** Where links and forms of a page lead. */
export const addressesOn = (html: string): string =>
  [...html.matchAll(/ (?:href|action|formaction)="([^"]*)"/g)].map(([, address]) => address).join("\n");

/** Every page must stay below this size, whatever senders send. */
export const MAX_PAGE_BYTES = 100_000;

/** A key in the text of a page. */
export const KEY = /bik_[0-9A-Za-z]{30}/;

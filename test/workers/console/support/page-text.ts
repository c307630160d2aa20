/** What somebody reads on a page. */

const ENTITIES: Record<string, string> = { "&lt;": "<", "&gt;": ">", "&quot;": '"', "&#39;": "'", "&amp;": "&" };

/** All of its text, with one blank where there are tags or blanks. */
export const textOf = (html: string): string =>
  html
    .replaceAll(/<[^>]*>/g, " ")
    .replaceAll(/&(lt|gt|quot|#39|amp);/g, (entity) => ENTITIES[entity] ?? entity)
    .replaceAll(/\s+/g, " ")
    .replaceAll(/ (?=[.,;:](\s|$))/g, "");

/** The headings below the page's own, in their order. */
export const titlesOn = (html: string): string[] =>
  [...html.matchAll(/<h2[^>]*>(.*?)<\/h2>/gs)].map(([, title]) => textOf(title ?? ""));

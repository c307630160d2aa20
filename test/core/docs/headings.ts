import { readFileSync } from "node:fs";

/** Builds the fragment that GitHub gives to a heading. */
const fragmentOf = (heading: string): string =>
  heading
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}\s_-]/gu, "")
    .replaceAll(" ", "-");

/** Lists the fragments of a page's headings, leaving out lines of code that look like one. */
export const fragmentsOf = (page: string): string[] =>
  [
    ...readFileSync(page, "utf8")
      .replaceAll(/^ *```[\s\S]*?^ *```/gm, "")
      .matchAll(/^#+ (.*)$/gm),
  ].map(([, heading = ""]) => fragmentOf(heading));

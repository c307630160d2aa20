/** Renders the documentation as static pages, which the console links to. They load only the console's stylesheet and icon. */
import { globSync, readFileSync } from "node:fs";
import { posix } from "node:path";

import { Marked, type Tokens } from "marked";

const BASE = "/console/docs";

export interface DocsPage {
  /** Below the folder of the pages: `wire/inbox.html`. */
  path: string;
  html: string;
}

interface PageAssets {
  styles: string;
  icon: string;
}

/** @param root the folder of the pages, as Markdown */
export function docsPages(root: string, assets: PageAssets): DocsPage[] {
  const sources = globSync("**/*.md", { cwd: root }).map((path) => path.replaceAll("\\", "/"));
  const known = new Set(sources);
  return sources.map((source) => {
    const text = readFileSync(posix.join(root, source), "utf8");
    return {
      path: source.replace(/md$/, "html"),
      html: frame(text, rendererOf(source, known).parse(text, { async: false }), assets),
    };
  });
}

/** The anchor of a heading, as GitHub writes it. */
const anchorOf = (heading: string): string =>
  heading
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}\p{M}_ -]/gu, "")
    .replaceAll(" ", "-");

function rendererOf(source: string, known: ReadonlySet<string>) {
  return new Marked({
    renderer: {
      heading({ tokens, depth, text }: Tokens.Heading) {
        return `<h${depth} id="${anchorOf(text)}">${this.parser.parseInline(tokens)}</h${depth}>\n`;
      },
      link({ href, tokens }: Tokens.Link) {
        // A page has no file name for readers of the console.
        const text = this.parser.parseInline(tokens).replace(/^([\w/-]+)\.md$/, "$1");
        const target = targetOf(source, href, known);
        return target === null ? text : `<a href="${escape(target)}">${text}</a>`;
      },
      code({ text }: Tokens.Code) {
        return `<pre tabindex="0"><code>${escape(text)}</code></pre>\n`;
      },
      table(token: Tokens.Table) {
        const cells = (tag: string, row: readonly Tokens.TableCell[]) =>
          `<tr>${row.map((cell) => `<${tag}>${this.parser.parseInline(cell.tokens)}</${tag}>`).join("")}</tr>`;
        const body = token.rows.map((row) => cells("td", row)).join("\n");
        return `<div class="table-scroll" tabindex="0"><table><thead>${cells("th", token.header)}</thead><tbody>${body}</tbody></table></div>\n`;
      },
    },
  });
}

/** Returns where a link of a page leads; `null` for files of the repository, which the pages don't have. */
function targetOf(source: string, href: string, known: ReadonlySet<string>): string | null {
  if (/^(?:https?:|#)/.test(href)) return href;
  const [file = "", fragment] = href.split("#");
  const path = posix.join(posix.dirname(source), file);
  if (!known.has(path)) return null;
  return `${BASE}/${path.replace(/\.md$/, "")}${fragment === undefined ? "" : `#${fragment}`}`;
}

const ENTITIES: Record<string, string> = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;" };
const escape = (text: string): string => text.replaceAll(/[&<>"]/g, (character) => ENTITIES[character] ?? "");

function frame(text: string, content: string, { styles, icon }: PageAssets): string {
  const [, title = "Documentation"] = /^# (.*)$/m.exec(text) ?? [];
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<title>${escape(title.replaceAll("`", ""))} · Behavior Ingest</title>
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="robots" content="noindex">
<link rel="stylesheet" href="${styles}">
<link rel="icon" href="${icon}" type="image/svg+xml">
</head>
<body>
<a class="skip" href="#content">Skip to content</a>
<header class="bar"><div class="bar-top">
<a class="brand" href="/console"><img src="${icon}" alt="" width="22" height="22">Behavior Ingest</a>
<span class="spring"></span>
<a href="${BASE}/README">All pages</a>
</div></header>
<main id="content" class="docs" tabindex="-1">
${content}</main>
</body>
</html>
`;
}

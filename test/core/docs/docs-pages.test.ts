/** The documentation as the console shows it. */
import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";

const FOLDER = "public/console/docs";
/** As they are built before the tests. */
const PAGES = globSync("**/*.html", { cwd: FOLDER }).map((path) => ({
  path,
  html: readFileSync(join(FOLDER, path), "utf8"),
}));
const htmlOf = (path: string): string => PAGES.find((page) => page.path === path)?.html ?? "";
const hrefsIn = (html: string): string[] => [...html.matchAll(/<a href="([^"]*)"/g)].map(([, href = ""]) => href);

it("links to pages and headings that exist", () => {
  const lost = PAGES.flatMap(({ path, html }) =>
    hrefsIn(html.slice(html.indexOf("<main")))
      .filter((href) => {
        if (/^https?:/.test(href)) return false;
        const [page = "", anchor] = href.split("#");
        const target = page === "" ? html : htmlOf(`${page.replace("/console/docs/", "")}.html`);
        return target === "" || (anchor !== undefined && !target.includes(` id="${anchor}"`));
      })
      .map((href) => `${path}: ${href}`),
  );
  expect(lost).toEqual([]);
  expect(PAGES.length).toBeGreaterThan(60);
});

it("loads nothing but the stylesheet and the icon, and runs nothing", () => {
  const html = PAGES.map((page) => page.html).join("");
  const loaded = [...html.matchAll(/<(?:link|img|script|iframe)[^>]* (?:href|src)="([^"]*)"/g)].map(([, url]) => url);
  const names = loaded.map((url) => url?.replace(/\.\w+(?=\.\w+$)/, ""));
  expect(new Set(names)).toEqual(new Set(["/console/assets/console.css", "/console/assets/icon.svg"]));
  expect(html).not.toMatch(/<script|<style|<[^>]* (?:style|on\w+)="/);
});

it("shows code as text, and tables and lists as such", () => {
  expect(htmlOf("README.html")).toMatch(/<table><thead>/);
  expect(htmlOf("wire/messages.html")).toMatch(/<h2 id="[\w-]+">/);
  expect(htmlOf("api.html")).toMatch(/<pre tabindex="0"><code>[^<]*curl/);
  expect(PAGES.map((page) => page.html).join()).not.toMatch(/^\| |\]\(\w+\.md/m);
});

/** Tests the harness: each problem on a page that has no other. */
import type { Page } from "playwright-core";
import { describe, expect } from "vitest";

import { accessibilityProblems, keyboardProblems, overflowing } from "./harness/page-checks.ts";
import { TELEPHONE } from "./harness/screenshots.ts";
import { browserTest as base } from "./harness/browser-test.ts";
import { watch, type Watch } from "./harness/watch.ts";

const POLICY =
  "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; frame-ancestors 'none'";

interface Shown {
  status?: number;
  /** The content of the file that the page loads. */
  script?: string;
  styles?: string;
}

interface Probe {
  page: Page;
  watched: Watch;
  /** Loads a page with this body under the console's content security policy. */
  show(body: string, shown?: Shown): Promise<void>;
}

const browserTest = base.extend("probe", async ({ browser, service }, { onCleanup }): Promise<Probe> => {
  const context = await browser.newContext({ viewport: TELEPHONE });
  onCleanup(() => context.close());
  const watched = await watch(context, service.url);
  const page = await watched.newPage();
  const show: Probe["show"] = async (body, { status = 200, script = "", styles = "" } = {}) => {
    const files: Record<string, [type: string, text: string]> = {
      "/probe.js": ["text/javascript", script],
      "/probe.css": ["text/css", styles],
      "/probe": [
        "text/html",
        `<!doctype html><html lang="en"><head><title>Probe</title><link rel="stylesheet" href="/probe.css">
         <link rel="icon" href="/probe.css"></head><body><main>${body}</main><script src="/probe.js"></script></body></html>`,
      ],
    };
    await context.route(`${service.url}/probe*`, async (route) => {
      const [contentType, text] = files[new URL(route.request().url()).pathname] ?? ["text/plain", ""];
      const isPage = contentType === "text/html";
      await route.fulfill({
        status: isPage ? status : 200,
        body: text,
        contentType,
        headers: { "content-security-policy": POLICY },
      });
    });
    await page.goto(`${service.url}/probe`);
    // Problems are reported before the next paint.
    await page.evaluate(() => new Promise(requestAnimationFrame));
  };
  return { page, watched, show };
});

describe("The watch", () => {
  browserTest("finds nothing on a correct page", async ({ probe }) => {
    await probe.show("<h1>Well</h1>", { script: "console.log('fine')" });
    expect(probe.watched.problems()).toEqual([]);
    expect(probe.watched.documentBytes()).toEqual([expect.any(Number)]);
  });

  browserTest.for([
    ["a console message", "", { script: "console.warn('beware')" }, [/beware/]],
    ["an exception", "", { script: "nowhere()" }, [/nowhere is not defined/]],
    ["a dialog", "", { script: "alert(1)" }, [/Dialog.*1/]],
    ["an inline script", "<script>1</script>", {}, [/Policy: script-src-elem/, /inline script/]],
    ["an inline style", "<p style='color:red'>Red</p>", {}, [/Policy: style-src-attr/, /inline style/]],
    [
      "an image of another host",
      "<img alt='' src='https://a.example/b.png'>",
      {},
      [/Policy: img/, /^Console.*a\.example/, /^Request/],
    ],
    ["an error response", "", { status: 500 }, [/^500: GET/]],
    ["a large document", "x".repeat(101 * 1_024), {}, [/A document of 103\d\d\d bytes/]],
  ] as const)("sees %s", async ([, body, shown, seen], { probe }) => {
    await probe.show(body, shown);
    const problems = probe.watched.problems();
    for (const words of seen) expect(problems).toContainEqual(expect.stringMatching(words));
    expect(problems).toHaveLength(seen.length);
  });

  browserTest("accepts an expected refusal once, and reports a missing one", async ({ probe }) => {
    probe.watched.expectRefusal(403);
    expect(probe.watched.problems()).toEqual(["A refusal with 403 did not come"]);
    await probe.show("", { status: 403 });
    expect(probe.watched.problems()).toEqual([]);
    await probe.page.reload();
    expect(probe.watched.problems()).toEqual([expect.stringMatching(/^403: GET/)]);
  });
});

describe("The checks of a page", () => {
  const SKIP = "<a href='#end'>Skip to the content</a>";
  const RING = ":focus-visible { outline: 2px solid blue }";

  browserTest("sees low contrast, and a field without a label", async ({ probe }) => {
    await probe.show("<h1>Pale</h1><p>Text</p><input>", { styles: "p { color: #ccc; background: #fff }" });
    const problems = await accessibilityProblems(probe.page);
    expect(problems).toEqual([
      expect.stringMatching(/^color-contrast .* p /),
      expect.stringMatching(/^label .* input /),
    ]);
  });

  browserTest("tabs through links, buttons, fields and one radio button of each group", async ({ probe }) => {
    const choices = "<label><input type=radio name=a>A</label><label><input type=radio name=a checked>B</label>";
    await probe.show(`${SKIP}<form><input name=q><select></select>${choices}<button>Go</button></form>`, {
      styles: RING,
    });
    expect(await keyboardProblems(probe.page)).toEqual([]);
  });

  browserTest.for([
    ["a page without a skip link", "<a href='/'>Home</a>", RING, ["First is “a Home”"]],
    ["an invisible focus", SKIP, "a { outline: none }", ["“a Skip to the content” does not show"]],
    ["another order", `${SKIP}<a href='/1'>One</a><a href='/2' class='first'>Two</a>`, RING, ["Tab goes"]],
  ] as const)("sees %s", async ([, body, styles, seen], { probe }) => {
    await probe.show(body, { styles, script: "document.querySelector('.first')?.setAttribute('tabindex', '1')" });
    const problems = await keyboardProblems(probe.page);
    expect(problems.map((problem, at) => problem.slice(0, seen[at]?.length))).toEqual(seen);
  });

  browserTest("sees an element that is wider than a phone", async ({ probe }) => {
    await probe.show("<p>Narrow</p>");
    expect(await overflowing(probe.page)).toEqual([]);
    await probe.show("<p class='wide'>Wide</p>", { styles: ".wide { width: 500px }" });
    expect(await overflowing(probe.page)).toEqual([expect.stringMatching(/^14\d pixels too wide: <p class="wide">/)]);
  });
});

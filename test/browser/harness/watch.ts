/**
 * Watches a page for what a person would not see and an engineer must not overlook: words on the browser's console,
 * exceptions, violations of the page's own policy, dialogs, requests to elsewhere, answers that refuse, documents that
 * are too large. Whatever it finds fails the test at its end.
 */
import type { BrowserContext, Page } from "playwright-core";

const MAX_DOCUMENT_BYTES = 100 * 1_024;

/** Chromium's words for an answer of 400 and above, which `response` judges. */
const REFUSED_RESOURCE = /^Failed to load resource: the server responded with a status of \d+/;

export interface Watch {
  /** A page that is watched before it loads anything. */
  newPage(): Promise<Page>;
  /** What was found so far, a sentence each. */
  problems(): string[];
  /** The page is about to be refused so, once; that it isn't would be a problem, too. */
  expectRefusal(status: number): void;
  /** Bytes of each document that was loaded, decoded, in their order. */
  documentBytes(): number[];
}

/**
 * All pages of a browser's context, those that a link opens beside the first too.
 * @param context before it has a page
 * @param origin whose pages may be asked for
 */
export async function watch(context: BrowserContext, origin: string): Promise<Watch> {
  const found: string[] = [];
  const awaited: number[] = [];
  const sizes = new Map<string, number>();

  await context.exposeBinding("reportViolation", (_source, text: string) => found.push(`Policy: ${text}`));
  await context.addInitScript(() => {
    document.addEventListener("securitypolicyviolation", ({ violatedDirective, blockedURI, sourceFile }) => {
      reportViolation(`${violatedDirective} of ${sourceFile} stopped ${blockedURI}`);
    });
  });
  context.on("console", (message) => {
    const isNews = ["error", "warning", "assert"].includes(message.type()) && !REFUSED_RESOURCE.test(message.text());
    if (isNews) found.push(`Console, at ${message.location().url}: ${message.text()}`);
  });
  context.on("weberror", (error) => found.push(`Exception, at ${error.page()?.url()}: ${error.error().message}`));
  context.on("dialog", async (dialog) => {
    found.push(`Dialog, at ${dialog.page()?.url()}: ${dialog.message()}`);
    await dialog.dismiss();
  });
  context.on("request", (request) => {
    const url = new URL(request.url());
    if (url.origin !== origin && url.protocol !== "data:") found.push(`Request to elsewhere: ${request.url()}`);
  });
  context.on("response", (response) => {
    if (response.status() < 400) return;
    const at = awaited.indexOf(response.status());
    if (at === -1) found.push(`${response.status()}: ${response.request().method()} ${response.url()}`);
    else awaited.splice(at, 1);
  });
  const counting = new WeakMap<Page, Promise<void>>();
  context.on("page", (page) => counting.set(page, countDocuments(page, sizes)));

  return {
    async newPage() {
      const page = await context.newPage();
      await counting.get(page);
      return page;
    },
    problems: () => [
      ...found,
      ...awaited.map((status) => `A refusal with ${status} did not come`),
      ...[...sizes.values()].flatMap((size) => (size <= MAX_DOCUMENT_BYTES ? [] : [`A document of ${size} bytes`])),
    ],
    expectRefusal: (status) => void awaited.push(status),
    documentBytes: () => [...sizes.values()],
  };
}

/** As the network tells them: what was read of an answer can't be asked for once the page has gone on. */
async function countDocuments(page: Page, sizes: Map<string, number>): Promise<void> {
  const session = await page.context().newCDPSession(page);
  session.on("Network.responseReceived", ({ requestId, type }) => {
    if (type === "Document") sizes.set(requestId, sizes.get(requestId) ?? 0);
  });
  session.on("Network.dataReceived", ({ requestId, dataLength }) => {
    const before = sizes.get(requestId);
    if (before !== undefined) sizes.set(requestId, before + dataLength);
  });
  await session.send("Network.enable");
}

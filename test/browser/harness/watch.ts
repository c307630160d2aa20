/**
 * Watches pages for problems: console messages, exceptions, violations of the content security policy, dialogs, requests
 * to other hosts, unexpected error responses, and documents that are too large.
 */
import type { BrowserContext, Page } from "playwright-core";

const MAX_DOCUMENT_BYTES = 100 * 1_024;

/** Chromium's and htmx's messages for a response of 400 and above, which the `response` handler checks. */
const REFUSED_RESOURCE =
  /^(Failed to load resource: the server responded with a status of|Response Status Error Code) \d+/;

export interface Watch {
  /** Opens a page that is watched from the start. */
  newPage(): Promise<Page>;
  /** The problems found so far. */
  problems(): string[];
  /** Expects one response with this status. Its absence is a problem, too. */
  expectRefusal(status: number): void;
  /** The decoded size of each loaded document. */
  documentBytes(): number[];
}

/**
 * Watches all pages of a browser context.
 * @param context without pages yet
 * @param origin the only origin that pages may request
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
    const isProblem = ["error", "warning", "assert"].includes(message.type()) && !REFUSED_RESOURCE.test(message.text());
    if (isProblem) found.push(`Console, at ${message.location().url}: ${message.text()}`);
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

/** Counts bytes by network events: a response body is unavailable once the page has navigated. */
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

/** Pages that report an error and link back to the console. */
import type { ContentfulStatusCode } from "hono/utils/http-status";

import { RETRY_AFTER_FAULT_SECONDS } from "../../config.ts";
import type { AppContext } from "../../edge/app-context.ts";
import { Page } from "./page.tsx";

const errorPage = (c: AppContext, status: ContentfulStatusCode, title: string, text: string) =>
  c.html(
    <Page c={c} title={title}>
      <div class="error-page">
        <h1>{title}</h1>
        <p>{text}</p>
        <p>
          <a class="button" href="/console">
            Back to the console
          </a>
        </p>
      </div>
    </Page>,
    status,
  );

export const forbiddenPage = (c: AppContext, text: string) => errorPage(c, 403, "Not allowed", text);

export const notFoundPage = (c: AppContext, text = "This page does not exist.") =>
  errorPage(c, 404, "Page not found", text);

export const invalidPage = (c: AppContext, text: string) => errorPage(c, 400, "Invalid request", text);

export const tooLargePage = (c: AppContext) => errorPage(c, 413, "Too large", "The form data is too large.");

export function tooManyPage(c: AppContext, seconds: number) {
  c.header("Retry-After", String(seconds));
  return errorPage(c, 429, "Too many requests", `Try again in ${seconds} seconds.`);
}

export function faultPage(c: AppContext, isBusy: boolean) {
  if (isBusy) {
    c.header("Retry-After", String(RETRY_AFTER_FAULT_SECONDS));
    return errorPage(c, 503, "The service is busy", "No data was lost. Try again in a moment.");
  }
  const text = `Try again. If the error persists, report the request id ${c.get("requestId")}.`;
  return errorPage(c, 500, "Something went wrong", text);
}

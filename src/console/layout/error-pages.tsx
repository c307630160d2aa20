/** Pages that say no, and how to go on. */
import type { AppContext } from "../../edge/context.ts";
import type { ContentfulStatusCode } from "hono/utils/http-status";

import { RETRY_AFTER_FAULT_SECONDS } from "../../config.ts";
import { Page } from "./page.tsx";

const refusal = (c: AppContext, status: ContentfulStatusCode, title: string, text: string) =>
  c.html(
    <Page c={c} title={title}>
      <div class="refusal">
        <h1>{title}</h1>
        <p>{text}</p>
        <p>
          <a class="button" href="/console">
            To the console
          </a>
        </p>
      </div>
    </Page>,
    status,
  );

export const forbiddenPage = (c: AppContext, text: string) => refusal(c, 403, "Not allowed", text);

export const missingPage = (c: AppContext, text = "There is nothing at this address.") =>
  refusal(c, 404, "Nothing here", text);

export const invalidPage = (c: AppContext, text: string) => refusal(c, 400, "That did not work", text);

export const tooLargePage = (c: AppContext) => refusal(c, 413, "That was too much", "What was sent is too large.");

export function faultPage(c: AppContext, busy: boolean) {
  if (busy) {
    c.header("Retry-After", String(RETRY_AFTER_FAULT_SECONDS));
    return refusal(c, 503, "The service is busy", "Nothing was lost. Try again in a moment.");
  }
  return refusal(c, 500, "Something went wrong on our side", `Try again; if it stays, tell us ${c.get("requestId")}.`);
}

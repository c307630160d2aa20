/** The API's own description, for anyone: made for the first who asks, and kept. */
import { answerJsonText, say } from "../../edge/answer.ts";
import type { AppContext } from "../../edge/context.ts";
import { describeApi } from "./document.ts";

const MAX_AGE_SECONDS = 3_600;

let text: string | undefined;

export function answerDescription(c: AppContext): Response {
  text ??= JSON.stringify(describeApi());
  say(c, { "Cache-Control": `public, max-age=${MAX_AGE_SECONDS}` });
  return answerJsonText(c, text);
}

/**
 * Actions in place. Inside an element with hx-boost, htmx sends forms and follows links, and replaces only that element with the
 * same element of the response. So the scroll position stays, and without this script the same forms and links load the page.
 */
import htmx from "htmx.org";

htmx.config.includeIndicatorStyles = false;
htmx.config.allowEval = false;
htmx.config.allowScriptTags = false;
// Pages contain names, which must not stay in the browser's storage.
htmx.config.historyCacheSize = 0;
htmx.config.refreshOnHistoryMiss = true;
htmx.config.scrollIntoViewOnBoost = false;
// A key that is pressed right after a swap must find the focus where it stays.
htmx.config.defaultSettleDelay = 0;

interface Swap {
  xhr: XMLHttpRequest;
  requestConfig: { elt: Element };
  shouldSwap: boolean;
  serverResponse: string;
}

document.addEventListener("htmx:beforeSwap", (event) => {
  if (!(event instanceof CustomEvent)) return;
  const swap: Swap = event.detail;
  const page = new DOMParser().parseFromString(swap.serverResponse, "text/html");
  const selector = swap.requestConfig.elt.closest("[hx-select]")?.getAttribute("hx-select");
  if (selector && page.querySelector(selector) !== null) {
    swap.shouldSwap = true;
    document.getElementById("message")?.remove();
    return;
  }
  swap.shouldSwap = false;
  // Without a session the response is the page to sign in.
  if (swap.xhr.status < 400) location.assign(swap.xhr.responseURL);
  else say(textOf(page) || "The action failed.");
});

/** What an error page says, without its links. */
const textOf = (page: Document): string =>
  [...page.querySelectorAll("main h1, main h1 + p")].map(({ textContent }) => textContent.trim()).join(": ");

document.addEventListener("htmx:sendError", () => say("No connection: nothing was changed. Try again."));

/** Tells what went wrong, to screen readers too. */
export function say(text: string): void {
  document.getElementById("message")?.remove();
  const message = document.createElement("div");
  message.id = "message";
  message.className = "notice bad";
  message.role = "alert";
  message.textContent = text;
  document.querySelector("main")?.prepend(message);
  message.scrollIntoView({ block: "nearest" });
}

/**
 * Refreshes the elements with data-refresh="seconds" and an id from a new copy of the page. On a page that is the response to a
 * form, data-source names another page that has the same elements.
 */
import htmx from "htmx.org";

const liveParts = (): HTMLElement[] => [...document.querySelectorAll<HTMLElement>("[data-refresh]")];
const sourceOf = (): string => liveParts()[0]?.dataset["source"] ?? location.href;

async function freshPage(source: string): Promise<Document | null> {
  const response = await fetch(source, { headers: { Accept: "text/html" } });
  if (response.redirected) location.assign(source);
  return response.ok ? new DOMParser().parseFromString(await response.text(), "text/html") : null;
}

/** Keeps opened details open, and the keyboard focus where it is. */
function replacePart(part: HTMLElement, next: HTMLElement): void {
  for (const details of part.querySelectorAll("details[open]")) {
    const { id } = details.closest("[id]") ?? {};
    if (id) next.ownerDocument.getElementById(id)?.querySelector("details")?.setAttribute("open", "");
  }
  if (next.innerHTML === part.innerHTML) return;
  const focused = document.activeElement;
  const place = focused !== null && part.contains(focused) ? focused.closest("[id]")?.id : undefined;
  // The same link or button among those in the element with the same id.
  const candidates = (): HTMLElement[] =>
    place === undefined || focused === null
      ? []
      : [...(document.getElementById(place)?.querySelectorAll<HTMLElement>(focused.localName) ?? [])];
  const at = candidates().findIndex((candidate) => candidate === focused);
  part.replaceChildren(...next.childNodes);
  htmx.process(part);
  if (at >= 0) (candidates()[at] ?? candidates().at(-1))?.focus({ preventScroll: true });
}

async function refresh(): Promise<void> {
  const parts = liveParts();
  if (!document.hidden && getSelection()?.isCollapsed !== false) {
    const source = sourceOf();
    const fresh = await freshPage(source).catch(() => null);
    // An action in place has replaced the parts meanwhile.
    const isOutdated = parts.some((part) => !part.isConnected);
    for (const part of fresh === null || isOutdated ? [] : parts) {
      const next = fresh?.getElementById(part.id);
      if (!next) return location.assign(source);
      replacePart(part, next);
      if (next.dataset["refresh"] === undefined) delete part.dataset["refresh"];
    }
  }
  refreshLater();
}

let timer = 0;

function refreshLater(): void {
  clearTimeout(timer);
  const waits = liveParts().map((part) => Number(part.dataset["refresh"]));
  if (waits.length > 0) timer = setTimeout(() => void refresh(), Math.min(...waits) * 1000);
}
refreshLater();
// An action in place may start or stop the refresh.
document.addEventListener("htmx:afterSettle", refreshLater);

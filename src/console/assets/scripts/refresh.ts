/**
 * Refreshes the elements with data-refresh="seconds" and an id from a new copy of the page. On a page that is the response to a
 * form, data-source names another page that has the same elements.
 */

const liveParts = (): HTMLElement[] => [...document.querySelectorAll<HTMLElement>("[data-refresh]")];
const source = liveParts()[0]?.dataset["source"] ?? location.href;

async function freshPage(): Promise<Document | null> {
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
  if (at >= 0) (candidates()[at] ?? candidates().at(-1))?.focus({ preventScroll: true });
}

async function refresh(): Promise<void> {
  if (!document.hidden && getSelection()?.isCollapsed !== false) {
    const fresh = await freshPage().catch(() => null);
    for (const part of fresh === null ? [] : liveParts()) {
      const next = fresh?.getElementById(part.id);
      if (!next) return location.assign(source);
      replacePart(part, next);
      if (next.dataset["refresh"] === undefined) delete part.dataset["refresh"];
    }
  }
  refreshLater();
}

function refreshLater(): void {
  const waits = liveParts().map((part) => Number(part.dataset["refresh"]));
  if (waits.length > 0) setTimeout(() => void refresh(), Math.min(...waits) * 1000);
}
refreshLater();

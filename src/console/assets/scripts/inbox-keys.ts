/**
 * Keys of the inbox, and where the focus goes after an action. A key moves the focus to the control with that `data-key`, in the panel of
 * the current item or, while items are selected, above the list: the control itself says what it does.
 */
/** Keys whose controls act at once. Those of the others get the focus, to choose or to write. */
const AT_ONCE = new Set(["c", "u", "Escape"]);
/** As inbox.css has it. */
const PANEL_BESIDE_PX = 1000;
const IN_PANEL = new Set(["s", "e", "c", "n", "o"]);

const inbox = (): HTMLElement | null => document.getElementById("inbox");
const links = (): HTMLElement[] => [...document.querySelectorAll<HTMLElement>("#inbox .item-link")];
const isSelecting = (): boolean => document.querySelector("#inbox input[name=ids]:checked") !== null;

/** The index of the item that has the focus, or that the panel shows. */
function currentIndex(): number {
  const row = document.activeElement?.closest("tr");
  const all = links();
  const focused = all.findIndex((link) => row !== null && row !== undefined && row.contains(link));
  return focused >= 0 ? focused : all.findIndex((link) => link.getAttribute("aria-current") === "true");
}

function focusItem(index: number): void {
  const all = links();
  const link = all[Math.min(Math.max(index, 0), all.length - 1)];
  link?.focus({ preventScroll: true });
  link?.scrollIntoView({ block: "nearest" });
}

/** What to do with the next version of the inbox: which item gets the focus, and which key is still to be pressed. */
let after: { index: number; id: string | undefined; opens: boolean; key: string | null } | null = null;

document.addEventListener("keydown", (event) => {
  if (inbox() === null || event.ctrlKey || event.metaKey || event.altKey) return;
  const { target, key } = event;
  const isTyping = target instanceof HTMLElement && target.matches("input:not([type=checkbox]), textarea, select");
  if ((isTyping && key !== "Escape") || document.querySelector("dialog[open]") !== null) return;
  if (isTyping) return focusItem(currentIndex());
  const index = currentIndex();
  if (key === "j" || key === "k") focusItem(index < 0 ? 0 : index + (key === "j" ? 1 : -1));
  else if (key === "x") links()[index]?.closest("tr")?.querySelector("input")?.click();
  else if (key === "?") document.querySelector<HTMLElement>("[data-opens=keys]")?.click();
  else if (key === "u" || key === "Escape") press(key, inbox());
  else if (IN_PANEL.has(key)) act(key, index);
  else return;
  event.preventDefault();
});

function act(key: string, index: number): void {
  const bulk = document.getElementById("bulk");
  if (isSelecting()) return press(key, bulk);
  const link = links()[index];
  if (link === undefined) return;
  if (link.getAttribute("aria-current") === "true") return press(key, inbox()?.querySelector(".item-forms") ?? null);
  after = { index, id: undefined, opens: false, key };
  link.click();
}

function press(key: string, root: HTMLElement | null): void {
  const control = root?.querySelector<HTMLElement>(`[data-key="${key}"]`);
  if (!control) return;
  if (AT_ONCE.has(key)) control.click();
  else control.focus();
}

document.addEventListener("htmx:beforeRequest", (event) => {
  if (after !== null || !(event.target instanceof HTMLElement) || inbox()?.contains(event.target) !== true) return;
  const isMark = event.target instanceof HTMLFormElement && event.target.method === "post";
  const index = currentIndex();
  const id = isMark ? links()[index]?.id : undefined;
  after = { index, id, opens: isMark && document.querySelector(".item") !== null, key: null };
});

document.addEventListener("htmx:afterSettle", () => {
  if (after === null || inbox() === null) return;
  const { id, opens, key } = after;
  // Goes on with the next item: it took the place of one that left the list.
  const index = Math.min(after.index + (links()[after.index]?.id === id ? 1 : 0), links().length - 1);
  after = null;
  focusItem(index);
  // On a phone the panel is above the list.
  if (innerWidth < PANEL_BESIDE_PX) document.querySelector(".item")?.scrollIntoView({ block: "start" });
  if (key !== null) act(key, index);
  else if (opens && document.querySelector(".item") === null) links()[index]?.click();
});

document.addEventListener("htmx:responseError", () => (after = null));
document.addEventListener("htmx:sendError", () => (after = null));

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
const panel = (): HTMLElement | null => document.querySelector("#inbox .item");
const isSelecting = (): boolean => document.querySelector("#inbox input[name=ids]:checked") !== null;

/** The index of the item that has the focus, or that the panel shows. */
function currentIndex(): number {
  const row = document.activeElement?.closest("tr");
  const all = links();
  const focused = all.findIndex((link) => row !== null && row !== undefined && row.contains(link));
  return focused >= 0 ? focused : all.findIndex((link) => link.getAttribute("aria-current") === "true");
}

/** The index of the last selected item. */
const selectedIndex = (): number =>
  links().findLastIndex((link) => link.closest("tr")?.querySelector("input:checked") != null);

function focusItem(index: number): void {
  const all = links();
  const link = all[Math.min(Math.max(index, 0), all.length - 1)];
  link?.focus({ preventScroll: true });
  link?.scrollIntoView({ block: "nearest" });
}

/** What to do with the next version of the inbox: which item gets the focus, and which key is still to be pressed. */
let after: { id: string | undefined; index: number; key: string | null } | null = null;

/** A note is saved when somebody leaves it, by its button: that says what the form does. */
function leaveField(field: HTMLElement): void {
  if (field instanceof HTMLTextAreaElement && field.value !== field.defaultValue)
    field.form?.querySelector("button")?.click();
  else focusItem(currentIndex());
}

document.addEventListener("keydown", (event) => {
  const isNote = event.target instanceof HTMLTextAreaElement && event.target.closest("#inbox") !== null;
  if (isNote && event.key === "Enter" && (event.ctrlKey || event.metaKey)) return leaveField(event.target);
  if (inbox() === null || event.ctrlKey || event.metaKey || event.altKey) return;
  const { target, key } = event;
  const isTyping = target instanceof HTMLElement && target.matches("input:not([type=checkbox]), textarea, select");
  if ((isTyping && key !== "Escape") || document.querySelector("dialog[open]") !== null) return;
  if (isTyping) return leaveField(target);
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
  after = { id: link.id, index, key };
  link.click();
}

function press(key: string, root: HTMLElement | null): void {
  const control = root?.querySelector<HTMLElement>(`[data-key="${key}"]`);
  if (!control) return;
  if (AT_ONCE.has(key)) control.click();
  else control.focus();
}

/** An action goes on with the next item: the response shows it in the panel, if the panel was open. */
document.addEventListener("htmx:configRequest", (event) => {
  if (!(event instanceof CustomEvent) || !(event.target instanceof HTMLElement)) return;
  if (after !== null || inbox()?.contains(event.target) !== true) return;
  const index = isSelecting() ? selectedIndex() : currentIndex();
  const isMark = event.detail.verb === "post";
  const next = isMark ? (links()[index + 1] ?? links()[index - 1]) : links()[index];
  after = { id: next?.id, index, key: null };
  if (isMark && next !== undefined && panel() !== null) event.detail.parameters.set("next", next.id);
});

document.addEventListener("htmx:afterSettle", () => {
  if (after === null || inbox() === null) return;
  const { id, index, key } = after;
  after = null;
  const all = links();
  const shown = all.findIndex((link) => link.getAttribute("aria-current") === "true");
  const kept = all.findIndex((link) => link.id === id);
  const next = shown >= 0 ? shown : kept >= 0 ? kept : index;
  if (next >= 0) focusItem(next);
  // On a phone the panel is above the list.
  if (innerWidth < PANEL_BESIDE_PX) panel()?.scrollIntoView({ block: "start" });
  if (key !== null) act(key, next);
});

for (const failure of ["htmx:responseError", "htmx:sendError"]) {
  document.addEventListener(failure, () => (after = null));
}

/**
 * Opens the command palette with `/` or Ctrl+K, and finds pages while somebody types; htmx finds accounts. The arrow keys choose
 * one of both. Enter goes to the first page, or else to the only account that is found, or lists them: what it does doesn't depend on how fast somebody types.
 */

const palette = document.querySelector<HTMLDialogElement>("#palette");
const field = palette?.querySelector<HTMLInputElement>("input[name=q]");
const pages = [...(palette?.querySelectorAll<HTMLElement>("nav a") ?? [])];
/** The field, and what can be chosen now. */
const stops = (): HTMLElement[] => [
  ...(palette?.querySelectorAll<HTMLElement>("input[name=q], nav a:not([hidden])") ?? []),
];

document.addEventListener("keydown", (event) => {
  const { target } = event;
  const isTyping = target instanceof HTMLElement && target.matches("input:not([type=checkbox]), textarea, select");
  const opens = (event.key === "/" && !isTyping) || (event.key === "k" && (event.ctrlKey || event.metaKey));
  if (!palette || !opens || document.querySelector("dialog[open]") !== null) return;
  event.preventDefault();
  palette.showModal();
  field?.select();
});

palette?.addEventListener("keydown", (event) => {
  const step = event.key === "ArrowDown" ? 1 : event.key === "ArrowUp" ? -1 : 0;
  if (step === 0) return;
  event.preventDefault();
  const all = stops();
  all[(all.findIndex((stop) => stop === document.activeElement) + step + all.length) % all.length]?.focus();
});

field?.addEventListener("input", () => {
  const text = field.value.trim().toLowerCase();
  for (const page of pages) page.hidden = !(page.textContent ?? "").toLowerCase().startsWith(text);
});

palette?.querySelector("form")?.addEventListener("submit", (event) => {
  const page = pages.find(({ hidden }) => !hidden);
  if (event.submitter?.matches(":focus") || page === undefined || field?.value.trim() === "") return;
  event.preventDefault();
  page.click();
});

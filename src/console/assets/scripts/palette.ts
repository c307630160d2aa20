/** Opens the command palette with `/` or Ctrl+K, and finds pages while somebody types. Enter goes to the first, or searches accounts. */

const palette = document.querySelector<HTMLDialogElement>("#palette");
const field = palette?.querySelector<HTMLInputElement>("input[name=q]");
const pages = [...(palette?.querySelectorAll<HTMLElement>("nav a") ?? [])];

document.addEventListener("keydown", (event) => {
  const { target } = event;
  const isTyping = target instanceof HTMLElement && target.matches("input:not([type=checkbox]), textarea, select");
  const opens = (event.key === "/" && !isTyping) || (event.key === "k" && (event.ctrlKey || event.metaKey));
  if (!palette || !opens || document.querySelector("dialog[open]") !== null) return;
  event.preventDefault();
  palette.showModal();
  field?.select();
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

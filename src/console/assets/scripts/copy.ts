/** Buttons that copy. */

const COPIED_MS = 1500;

/** Browsers offer the clipboard only over HTTPS and on loopback hosts. */
function showButtons(root: ParentNode): void {
  if (navigator.clipboard === undefined) return;
  for (const button of root.querySelectorAll<HTMLElement>("button[data-copy]")) button.hidden = false;
}

showButtons(document);
document.addEventListener("htmx:afterSwap", () => showButtons(document));

async function copyFrom(button: HTMLElement): Promise<void> {
  const { copy = "", label = "Copy" } = button.dataset;
  await navigator.clipboard.writeText(copy);
  button.textContent = "Copied";
  setTimeout(() => (button.textContent = label), COPIED_MS);
}

document.addEventListener("click", (event) => {
  const button = event.target instanceof Element ? event.target.closest<HTMLElement>("button[data-copy]") : null;
  if (button !== null) void copyFrom(button);
});

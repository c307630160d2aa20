/** Buttons that copy: `data-copy` has the text, or `data-copy-from` the id of an element with it. */

const BUTTONS = "button:is([data-copy], [data-copy-from])";

const COPIED_MS = 1500;

/** Browsers offer the clipboard only over HTTPS and on loopback hosts. */
function showButtons(root: ParentNode): void {
  if (navigator.clipboard === undefined) return;
  for (const button of root.querySelectorAll<HTMLElement>(BUTTONS)) button.hidden = false;
}

showButtons(document);
document.addEventListener("htmx:afterSwap", () => showButtons(document));

document.addEventListener("click", (event) => {
  const button = event.target instanceof Element ? event.target.closest<HTMLElement>(BUTTONS) : null;
  if (button === null) return;
  const { copyFrom = "", label = "Copy" } = button.dataset;
  const text = button.dataset["copy"] ?? document.getElementById(copyFrom)?.textContent ?? "";
  void navigator.clipboard.writeText(text).then(() => confirmCopy(button, label));
});

function confirmCopy(button: HTMLElement, label: string): void {
  button.textContent = "Copied";
  setTimeout(() => (button.textContent = label), COPIED_MS);
}

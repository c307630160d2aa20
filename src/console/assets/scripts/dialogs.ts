/** Buttons that open the dialog with the id in `data-opens`. They show only with this script. */

for (const button of document.querySelectorAll<HTMLElement>("[data-opens]")) button.hidden = false;

document.addEventListener("click", (event) => {
  const button = event.target instanceof Element ? event.target.closest<HTMLElement>("[data-opens]") : null;
  const dialog = button === null ? null : document.getElementById(button.dataset["opens"] ?? "");
  if (!(dialog instanceof HTMLDialogElement)) return;
  event.preventDefault();
  dialog.showModal();
});

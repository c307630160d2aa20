/** Prevents a double click from sending a form twice. */

document.addEventListener("submit", (event) => {
  const form = event.target;
  // What is sent in place is sent once by htmx.
  if (!(form instanceof HTMLFormElement) || form.method !== "post" || form.closest("[hx-boost]") !== null) return;
  if (form.dataset["sent"] !== undefined) event.preventDefault();
  form.dataset["sent"] = "";
});

addEventListener("pageshow", () => {
  for (const form of document.querySelectorAll<HTMLElement>("form[data-sent]")) delete form.dataset["sent"];
});

/**
 * Keeps notes that nobody has saved yet, for each item until the tab is closed or somebody signs in: a click elsewhere loses nothing.
 */
const PREFIX = "note draft ";

const isNote = (target: unknown): target is HTMLTextAreaElement =>
  target instanceof HTMLTextAreaElement && target.name === "note";
const keyOf = (note: HTMLTextAreaElement): string =>
  PREFIX + (note.form?.querySelector<HTMLInputElement>("input[name=ids]")?.value ?? "");

function keep(note: HTMLTextAreaElement): void {
  const isDraft = note.value !== note.defaultValue;
  if (isDraft) sessionStorage.setItem(keyOf(note), note.value);
  else sessionStorage.removeItem(keyOf(note));
  const hint = note.form?.querySelector<HTMLElement>("[data-draft]");
  if (hint) hint.hidden = !isDraft;
}

function restore(): void {
  for (const note of document.querySelectorAll("textarea")) {
    if (!isNote(note)) continue;
    note.value = sessionStorage.getItem(keyOf(note)) ?? note.value;
    keep(note);
  }
}

restore();
document.addEventListener("htmx:afterSwap", restore);
document.addEventListener("input", ({ target }) => {
  if (isNote(target)) keep(target);
});

/** A response without an error means that the note is stored, maybe without addresses that it had. */
document.addEventListener("htmx:beforeSwap", (event) => {
  if (!(event instanceof CustomEvent) || event.detail.xhr.status >= 400) return;
  const form: unknown = event.detail.requestConfig.elt;
  const note = form instanceof HTMLFormElement ? form.elements.namedItem("note") : null;
  if (isNote(note)) sessionStorage.removeItem(keyOf(note));
});

/** The next person must not see them. */
if (document.querySelector("input[name=secret]") !== null) {
  for (const key of Object.keys(sessionStorage)) if (key.startsWith(PREFIX)) sessionStorage.removeItem(key);
}

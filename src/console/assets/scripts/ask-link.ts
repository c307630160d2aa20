/**
 * Links to questions have them in the fragment, which browsers don't send. The page of an answer has a button to copy such a
 * link.
 */

const question = document.querySelector<HTMLInputElement>(".ask-form #q");

if (question !== null) {
  const copy = question.form?.querySelector<HTMLElement>("[data-copy]");
  if (copy) {
    history.replaceState(null, "", `#q=${encodeURIComponent(question.defaultValue)}`);
    copy.dataset["copy"] = location.href;
  } else {
    askFromFragment(question);
  }
  addEventListener("hashchange", () => askFromFragment(question));
}

function askFromFragment(field: HTMLInputElement): void {
  const asked = new URLSearchParams(location.hash.slice(1)).get("q");
  if (!asked) return;
  field.value = asked;
  field.form?.requestSubmit();
}

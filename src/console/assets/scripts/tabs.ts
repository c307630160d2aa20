/** On a phone the tabs may be wider than the screen: scrolls to the current one. scrollIntoView would move the start of Tab. */

const bar = document.querySelector(".tabs");
const current = bar?.querySelector("[aria-current]")?.getBoundingClientRect();
if (bar && current) {
  bar.scrollLeft += current.x + current.width / 2 - bar.getBoundingClientRect().x - bar.clientWidth / 2;
}

/* What continues beyond its box (a table, a formula, a line of code) says so: the box has the class "more" until
   the end is seen, and can be scrolled with the keyboard. */
document.addEventListener("DOMContentLoaded", () => {
  const boxes =
    ".table-scroll, .pst-scrollable-table-container, span.math, mjx-container[display], .highlight pre";
  for (const box of document.querySelectorAll(boxes)) {
    const slack = box.matches("span.math, mjx-container") ? 8 : 1; // pixels: italics reach beyond their box
    const look = () => {
      const hidden = box.scrollWidth - box.clientWidth;
      box.toggleAttribute("tabindex", false);
      if (hidden > slack || box.closest("details:not([open])")) box.tabIndex = 0;
      box.classList.toggle("more", hidden - box.scrollLeft > slack);
    };
    box.addEventListener("scroll", look, { passive: true });
    new ResizeObserver(look).observe(box);
    look(); // what is folded has no size to observe
  }
});

/* What is folded opens when an address leads to it or into it, and on paper, but for the source. */
const follow = () => {
  const place = document.getElementById(decodeURIComponent(location.hash.slice(1)));
  let fold = place?.closest("details");
  if (!fold) return;
  for (; fold; fold = fold.parentElement.closest("details")) fold.open = true;
  place.scrollIntoView();
};
addEventListener("hashchange", follow);
addEventListener("DOMContentLoaded", follow);
addEventListener("beforeprint", () => {
  for (const fold of document.querySelectorAll("details:not(.source, .claim details)")) fold.open = true;
});

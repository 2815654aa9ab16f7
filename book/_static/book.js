/* What continues beyond its box (a table, a formula, a line of code) says so: the box has the class "more" until
   the end is seen, and can be scrolled with the keyboard. */
const SLACK = 8; // pixels: the italics of a formula reach a little beyond their box
document.addEventListener("DOMContentLoaded", () => {
  const boxes =
    ".table-scroll, .pst-scrollable-table-container, span.math, mjx-container[display], .highlight pre";
  for (const box of document.querySelectorAll(boxes)) {
    const look = () => {
      const hidden = box.scrollWidth - box.clientWidth;
      box.toggleAttribute("tabindex", false);
      if (hidden > SLACK) box.tabIndex = 0;
      box.classList.toggle("more", hidden - box.scrollLeft > SLACK);
    };
    box.addEventListener("scroll", look, { passive: true });
    new ResizeObserver(look).observe(box);
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

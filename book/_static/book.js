/* A table that continues beyond its box says so: its box has the class "more" until the end is seen, and can
   be scrolled with the keyboard. */
document.addEventListener("DOMContentLoaded", () => {
  for (const box of document.querySelectorAll(".table-scroll, .pst-scrollable-table-container")) {
    const look = () => {
      const hidden = box.scrollWidth - box.clientWidth;
      box.toggleAttribute("tabindex", false);
      if (hidden > 1) box.tabIndex = 0;
      box.classList.toggle("more", hidden - box.scrollLeft > 1);
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

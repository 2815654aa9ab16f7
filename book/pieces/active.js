/* Active learning: which label of a pool an ensemble asks for next, and why; beside labels of any points. */
"use strict";
(() => {
  const {el, text, svg, scale, number, line} = oza;

  /** Utility of a label from the probability of one of two classes, in parts of 10,000: 1 minus the margin. */
  const utility = chance => 1 - Math.abs(2 * chance - 10000) / 10000;
  /** Rows without a label, the largest utility first; of equals the first. */
  const ranked = (chances, labelled) => chances.map((_, row) => row).filter(row => !labelled.includes(row))
    .sort((a, b) => utility(chances[b]) - utility(chances[a]) || a - b);

  const SIDE = 300, SHOWN = 5;
  const now = (state, data) => {
    const pool = data.pools[state.pool], run = pool[state.by], chances = run.chances[state.step];
    const labelled = run.rows.slice(0, data.first + state.step);
    return {pool, run, labelled, chances, next: run.rows[data.first + state.step], order: ranked(chances, labelled)};
  };
  const LOOKS = {asked: {class: "stream"}, any: {class: "single", "stroke-dasharray": "7 4"}};

  const draw = (state, data, narrow) => {
    const width = narrow ? 312 : 654, {pool, run, labelled, chances, next, order} = now(state, data), top = 42;
    const at = scale([0, 1], [4, SIDE - 4]), up = scale([0, 1], [top + SIDE - 4, top + 4]), cell = (SIDE - 8) / 16;
    let drawn = text(0, 14, narrow ? "● ○ labelled  · not yet  ◎ next" : "● class 1, ○ class 0, · no label yet, ◎ next", {class: "strong"}) +
      text(0, 33, "fainter ground: the ensemble is less sure", {class: "quiet"});
    [...run.maps[state.step]].forEach((level, i) => {
      const p = parseInt(level, 36) / 35, x = i % 16, y = Math.floor(i / 16);
      drawn += el("rect", {x: 4 + x * cell, y: up((y + 1) / 16), width: cell + 0.3, height: cell + 0.3, class: p > 0.5 ? "bagging" : "boosting", "fill-opacity": 0.4 * Math.abs(2 * p - 1)});
    });
    drawn += el("rect", {x: 4, y: top + 4, width: SIDE - 8, height: SIDE - 8, fill: "none", class: "axis"});
    pool.points.forEach((point, row) => {
      const place = {cx: at(point[0]), cy: up(point[1])}, isKnown = labelled.includes(row);
      drawn += el("circle", {...place, r: isKnown ? 5 : 2.2, class: isKnown && !pool.classes[row] ? "hollow" : isKnown ? "ink" : "single"});
      if (row === next) drawn += el("circle", {...place, r: 9, class: "outline"});
    });

    const left = narrow ? 0 : 330, y0 = narrow ? top + SIDE + 22 : 14, bar = narrow ? 222 : 544;
    drawn += text(left, y0, "least sure points: probability of class 1,", {class: "strong"}) + text(left, y0 + 17, "and the utility of their labels", {class: "strong"});
    const listed = order.slice(0, SHOWN);
    if (!listed.includes(next)) listed[SHOWN - 1] = next;
    listed.forEach((row, i) => {
      const y = y0 + 42 + 21 * i, isNext = row === next, wide = narrow ? 60 : 76;
      if (isNext) drawn += el("rect", {x: left, y: y - 15, width: width - left, height: 20, class: "band"});
      drawn += text(left + 6, y, `${isNext ? "◎" : "·"} ${pool.points[row].map(x => number(x, 2)).join(", ")}`, {class: isNext ? "strong" : ""}) +
        text(left + 158, y, number(chances[row] / 10000, 2), {"text-anchor": "end"});
      drawn += el("rect", {x: bar - 50, y: y - 10, width: wide * utility(chances[row]), height: 10, class: isNext ? "stream" : "single"});
      drawn += text(width - 4, y, number(utility(chances[row]), 2), {"text-anchor": "end", class: isNext ? "strong" : ""});
    });

    const below = y0 + 42 + 21 * SHOWN + 20, high = below + 130, end = width - 12, last = run.accuracy.length - 1;
    const x = scale([0, last], [left + 36, end]), rise = scale([0.4, 1], [high, below + 20]);
    drawn += text(left, below, "accuracy on new points, by labels", {class: "strong"});
    for (const a of [0.4, 0.6, 0.8, 1]) drawn += text(left + 26, rise(a) + 4, number(a), {"text-anchor": "end"}) + el("line", {x1: left + 36, x2: end, y1: rise(a), y2: rise(a), class: a > 0.4 ? "guide" : "axis"});
    for (const n of [0, 5, 10, 15, 20]) drawn += text(x(n), high + 18, data.first + n, {"text-anchor": "middle"});
    drawn += el("line", {x1: x(state.step), x2: x(state.step), y1: below + 16, y2: high, class: "axis"});
    for (const [by, look] of Object.entries(LOOKS)) {
      const points = pool[by].accuracy.map((a, n) => [x(n), rise(a)]);
      drawn += line(points, {...look, opacity: 0.3}) + line(points.slice(0, state.step + 1), look);
      if (by === state.by) drawn += el("circle", {cx: x(state.step), cy: rise(run.accuracy[state.step]), r: 4, class: look.class});
    }
    [["asked", "least sure"], ["any", "any label"]].forEach(([by, name], i) => {
      drawn += line([[left + 60 + 120 * i, high + 34], [left + 86 + 120 * i, high + 34]], LOOKS[by]) + text(left + 92 + 120 * i, high + 38, name);
    });
    return svg(width, Math.max(high + 46, top + SIDE), "Points in the unit square, the next to be labelled, the least sure of them, and the accuracy by the number of labels", drawn);
  };

  oza.piece("active", {
    pure: {utility, ranked},
    state: {step: 0, by: "asked", pool: 0},
    controls: data => {
      const end = data.pools[0].asked.accuracy.length - 1, to = by => state => { state.step = Math.min(end, Math.max(0, state.step + by)); return state.step < end; };
      return [
        {kind: "button", label: "Back", press: to(-1), optional: state => state.step > 0},
        {kind: "button", label: "Label the point ◎", press: to(1), optional: state => state.step < end},
        {kind: "play", label: "Play", press: to(1), every: 800, optional: state => state.step < end},
        {kind: "range", name: "step", label: "Labels", min: 0, max: end, show: n => number(data.first + n)},
        {kind: "select", name: "by", label: "Next is", options: [["asked", "the least sure point"], ["any", "any point"]]},
        {kind: "button", label: "Another pool", press: state => { state.pool = (state.pool + 1) % data.pools.length; }},
      ];
    },
    draw,
    say: (state, data) => {
      const {pool, labelled, chances, next, order} = now(state, data), chance = chances[next] / 10000;
      const [asked, any] = [pool.asked, pool.any].map(({accuracy}) => number(100 * accuracy[state.step], 0));
      return (state.by === "asked" ? `Of ${order.length} points the ensemble asks for the label of ◎, about which it is least sure` : `One of ${order.length} points, whichever it may be, is labelled next: ◎`) +
        `: it gives class 1 the probability ${number(chance, 2)}, so the label has the utility 1 − |${number(chance, 2)} − ${number(1 - chance, 2)}| = ${number(utility(chances[next]), 2)}. ` +
        `With ${labelled.length} labels of this pool it is right on ${asked} % of new points if it asks, on ${any} % with any labels.`;
    },
  });
})();

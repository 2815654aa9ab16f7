/* Two algorithms on all data sets: differences of accuracy with their intervals, and the printed ones. */
"use strict";
(() => {
  const {el, text, svg, scale, axis, number} = oza;

  /** The rule of equality: "equal", "better", "worse" or "undecided" for [data set, difference, half width, significant]. */
  const compute = (rows, margin, rounding) => rows.map(([, difference, halfWidth, isSignificant]) => {
    const size = Math.abs(difference), limit = margin + rounding;
    if (size + (halfWidth ?? NaN) <= limit) return "equal";
    return isSignificant && size > limit ? difference > 0 ? "better" : "worse" : "undecided";
  });

  const chosen = (state, data) => data.rows[state.base]?.[state.pair] ?? [];
  const RANGES = {2: "±2 points", 5: "±5 points", 20: "±20 points", 50: "±50 points"};
  const LOOKS = {equal: ["=", "good"], better: ["+", "good"], worse: ["−", "bad"], undecided: ["?", "undecided"]};

  const draw = (state, data, narrow) => {
    const width = narrow ? 312 : 654, rows = chosen(state, data), found = compute(rows, data.margin, data.rounding);
    const most = +state.range, left = narrow ? 112 : 136, right = width - 46, high = 24, top = 18, bottom = top + 22 + high * data.most;
    const at = scale([-most, most], [left, right]), inside = x => Math.max(left, Math.min(right, x));
    const family = state.pair.includes("boosting") ? "boosting" : "bagging";
    let drawn = el("rect", {x: at(-100 * data.margin), y: top + 10, width: at(100 * data.margin) - at(-100 * data.margin), height: bottom - top - 10, class: "band"});
    drawn += el("line", {x1: at(0), x2: at(0), y1: top + 10, y2: bottom, class: "axis"});
    drawn += text(0, 14, narrow ? "differences, with 95 % intervals" : `${data.pairs[state.pair]}: differences of accuracy, with 95 % intervals`, {class: "strong"});
    rows.forEach(([dataset, difference, halfWidth, , printed], i) => {
      const y = top + 26 + i * high, x = at(100 * difference), [sign, look] = LOOKS[found[i]];
      drawn += text(0, y + 4, dataset) + text(width - 16, y + 4, sign, {"text-anchor": "middle", class: `strong ${look}`});
      const [from, to] = [-1, 1].map(s => inside(at(100 * (difference + s * (halfWidth ?? 0)))));
      if (to > from) drawn += el("line", {x1: from, x2: to, y1: y, y2: y, class: `open ${family}`});
      if (printed !== null && inside(at(100 * printed)) === at(100 * printed)) {
        drawn += el("rect", {x: at(100 * printed) - 4, y: y - 4, width: 8, height: 8, class: "hollow"});
      }
      if (x === inside(x)) drawn += el("circle", {cx: x, cy: y, r: 4.5, class: family});
      else drawn += text(inside(x) + (x < left ? 2 : -2), y + 4, x < left ? "◀" : "▶", {"text-anchor": x < left ? "start" : "end", class: family});
    });
    const ticks = [-1, -0.5, 0, 0.5, 1].map(t => t * most);
    drawn += axis(at, ticks, bottom, t => (t > 0 ? "+" : "") + number(t));
    drawn += text(left, bottom + 38, narrow ? "points; □ printed, ◀ ▶ beyond" : "percentage points of accuracy; □ printed, ◀ ▶ beyond the axis", {class: "quiet"});
    return svg(width, bottom + 46, "Differences of accuracy on each data set, with 95 % intervals, the printed differences, and the band of equality", drawn);
  };

  oza.piece("differences", {
    pure: {compute},
    state: {base: "Naive Bayes", pair: "online_bagging less bagging", range: "5"},
    controls: data => [
      {kind: "select", name: "base", label: "Base model", options: Object.keys(data.rows).map(base => [base, base])},
      {kind: "select", name: "pair", label: "Difference", options: Object.entries(data.pairs)},
      {kind: "select", name: "range", label: "Axis", options: Object.entries(RANGES)},
    ],
    draw,
    say: (state, data) => {
      const rows = chosen(state, data), found = compute(rows, data.margin, data.rounding);
      if (!rows.length) return "There are no results of this pair with this base model.";
      const count = what => found.filter(f => f === what).length;
      const largest = rows.reduce((a, b) => Math.abs(b[1]) > Math.abs(a[1]) ? b : a);
      return `${data.pairs[state.pair]}, ${state.base}: equal (=) on ${count("equal")} of ${rows.length} data sets, better (+) on ${count("better")}, ` +
        `worse (−) on ${count("worse")}, undecided (?) on ${count("undecided")}. The largest difference is ${number(100 * largest[1], 1)} points, on ${largest[0]}.`;
    },
  });
})();

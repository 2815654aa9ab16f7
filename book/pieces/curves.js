/* Learning curves: accuracy by the number of training examples, or online minus batch with its interval. */
"use strict";
(() => {
  const {el, text, svg, scale, number, line} = oza;
  const FAMILIES = {single: "single", bagging: "bagging", online_bagging: "bagging", boosting: "boosting",
    online_boosting: "boosting", primed_boosting: "primed", primed_200: "primed"};
  const DASHES = {bagging: "6 4", boosting: "6 4", primed_boosting: "2 4", primed_200: "8 3 2 3"};

  /** Mean accuracy of one algorithm minus that of another, at each number of examples. */
  const compute = (curve, first, second) => curve.sizes.map((_, i) => curve.means[first][i] - curve.means[second][i]);

  const now = (state, data) => {
    const curve = data.curves[state.curve], shown = Object.keys(curve.means)
      .filter(name => state.family === "all" || name.includes(state.family) || (state.family === "boosting" && name === "primed_200"));
    return {curve, shown, at: Math.min(state.at, curve.sizes.length - 1)};
  };
  const pairs = (curve, shown) => Object.keys(curve.halves).map(p => p.split(" less ")).filter(([a]) => shown.includes(a));
  const WORDS = {single: "single model", primed_200: "primed with 200 examples"};
  const word = name => WORDS[name] ?? name.replaceAll("_", " ");

  /** Rounded bounds of an axis around the values, and five ticks. */
  const ticks = values => {
    const low = Math.min(...values), high = Math.max(...values);
    const step = [0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2].find(s => (Math.ceil(high / s) - Math.floor(low / s)) <= 6) ?? 0.5;
    const from = Math.floor(low / step), to = Math.max(Math.ceil(high / step), from + 1);
    return Array.from({length: to - from + 1}, (_, i) => (from + i) * step);
  };

  const draw = (state, data, narrow) => {
    const {curve, shown, at: chosen} = now(state, data), width = narrow ? 312 : 654, end = width - 14, bottom = 262;
    const isGap = state.shows === "gap", listed = isGap ? pairs(curve, shown) : shown;
    const series = listed.map(entry => isGap
      ? {name: entry[0], said: `${word(entry[0])} − ${word(entry[1])}`, values: compute(curve, ...entry), halves: curve.halves[entry.join(" less ")]}
      : {name: entry, said: word(entry), values: curve.means[entry], halves: null});
    const all = series.flatMap(s => s.values.flatMap((v, i) => s.halves ? [v - s.halves[i], v + s.halves[i]] : [v]));
    const marks = ticks(isGap ? [...all, -0.01, 0.01] : all), last = curve.sizes.length - 1;
    const x = scale([curve.sizes[0], curve.sizes[last]], [50, end - 16], state.axis), y = scale([marks[0], marks.at(-1)], [bottom, 24]);
    let drawn = text(0, 12, isGap ? narrow ? "online − batch, points, 95 % intervals" : "online − batch in points of accuracy, with 95 % intervals; grey: within one point" : narrow ? "accuracy" : "accuracy on test examples, mean over splits", {class: "strong"});
    if (isGap) drawn += el("rect", {x: 50, y: y(0.01), width: end - 66, height: y(-0.01) - y(0.01), class: "band"});
    for (const m of marks) {
      drawn += text(42, y(m) + 4, isGap ? number(+(100 * m).toFixed(1)) : number(m, 2 + (marks[1] - marks[0] < 0.01)), {"text-anchor": "end"});
      drawn += el("line", {x1: 50, x2: end - 16, y1: y(m), y2: y(m), class: Math.abs(m) < 1e-9 ? "axis" : "guide"});
    }
    let written = -Infinity;
    curve.sizes.forEach((n, i) => {
      drawn += el("line", {x1: x(n), x2: x(n), y1: bottom, y2: bottom + 4, class: "axis"});
      const room = narrow ? 44 : 50;
      if (x(n) - written >= room && (i === last || x(curve.sizes[last]) - x(n) >= room)) {
        drawn += text(x(n), bottom + 18, number(n), {"text-anchor": "middle"});
        written = x(n);
      }
    });
    drawn += text((50 + end) / 2, bottom + 36, "training examples", {"text-anchor": "middle", class: "quiet"});
    drawn += el("line", {x1: x(curve.sizes[chosen]), x2: x(curve.sizes[chosen]), y1: 20, y2: bottom, class: "guide"});
    series.forEach(({name, values, halves}) => {
      drawn += line(values.map((v, i) => [x(curve.sizes[i]), y(v)]), {class: FAMILIES[name], "stroke-dasharray": DASHES[name]});
      values.forEach((v, i) => {
        const at = x(curve.sizes[i]);
        if (halves) drawn += el("line", {x1: at, x2: at, y1: y(v - halves[i]), y2: y(v + halves[i]), class: `open ${FAMILIES[name]}`});
        if (i === chosen) drawn += el("circle", {cx: at, cy: y(v), r: 4.5, class: FAMILIES[name]});
      });
    });
    const columns = narrow ? 1 : 2;
    series.forEach(({name, said, values, halves}, i) => {
      const left = (i % columns) * 330, top = bottom + 62 + 22 * Math.floor(i / columns);
      drawn += line([[left, top - 4], [left + 26, top - 4]], {class: FAMILIES[name], "stroke-dasharray": DASHES[name]});
      const told = isGap ? `${number(100 * values[chosen], 2)} ± ${number(100 * halves[chosen], 2)}` : number(values[chosen], 4);
      drawn += text(left + 32, top, narrow && isGap ? word(name) : said) + text(left + (narrow ? 312 : 318), top, told, {"text-anchor": "end"});
    });
    return svg(width, bottom + 62 + 22 * Math.ceil(7 / columns), "Learning curves, and the values at the chosen number of training examples", drawn);
  };

  const gapped = (online, points, batch) => `${online} is ${number(Math.abs(points), 2)} points ${points < 0 ? "below" : "above"} ${batch}`;

  oza.piece("curves", {
    pure: {compute, ticks},
    state: {curve: 0, family: "all", shows: "gap", axis: "log", at: 3},
    controls: data => [
      {kind: "select", name: "curve", label: "Data set and base model", options: data.curves.map((c, i) => [i, c.name])},
      {kind: "select", name: "family", label: "Algorithms", options: [["all", "all"], ["bagging", "bagging"], ["boosting", "boosting"]]},
      {kind: "select", name: "shows", label: "Show", options: [["gap", "online − batch"], ["accuracy", "accuracy"]]},
      {kind: "select", name: "axis", label: "Axis", options: [["log", "logarithmic"], ["linear", "linear"]]},
      {kind: "range", name: "at", label: "Read off after", min: 0, max: Math.max(...data.curves.map(c => c.sizes.length)) - 1, show: (i, state) => `${number(data.curves[state.curve].sizes[Math.min(i, data.curves[state.curve].sizes.length - 1)])} examples`},
    ],
    draw,
    say: (state, data) => {
      const {curve, shown, at} = now(state, data), start = `${curve.name}, after ${number(curve.sizes[at])} examples: `;
      if (state.shows === "accuracy") {
        return shown.length ? start + shown.map(name => `${word(name)} ${number(curve.means[name][at], 4)}`).join(", ") + "." : start + "no results of this family.";
      }
      const found = pairs(curve, shown).map(([a, b]) => gapped(word(a), 100 * compute(curve, a, b)[at], word(b)));
      return found.length ? start + found.join(", ") + "." : start + "no results of this family.";
    },
  });
})();

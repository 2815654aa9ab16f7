/* Bias and variance: trees of one depth from many training sets, their mean, and what averages change. */
"use strict";
(() => {
  const {el, text, svg, scale, number, line} = oza;

  /** Squared bias and variance of curves [set][place], in per cent, about the truth; means over the places. */
  const decompose = (curves, truth) => {
    const mean = truth.map((_, i) => curves.reduce((sum, c) => sum + c[i] / 100, 0) / curves.length);
    const over = f => truth.reduce((sum, _, i) => sum + f(i), 0) / truth.length;
    return {mean, bias: over(i => (mean[i] - truth[i]) ** 2),
      variance: over(i => curves.reduce((sum, c) => sum + (c[i] / 100 - mean[i]) ** 2, 0) / curves.length)};
  };
  const kept = {};
  const parts = (by, data) => kept[by] ??= data.says[by].map(curves => decompose(curves, data.truth));

  const draw = (state, data, narrow) => {
    const width = narrow ? 312 : 654, end = narrow ? 312 : 400, top = narrow ? 66 : 44, high = top + 190;
    const at = scale([0, 1], [32, end - 6]), up = scale([0, 1], [high, top]), curves = data.says[state.by][state.depth];
    const curve = (values, look) => line(values.map((v, i) => [at(data.at[i]), up(v)]), look);
    let drawn = text(0, 14, narrow ? `probability of class 1, ${curves.length} sets` : `probability of class 1, from ${curves.length} training sets`, {class: "strong"});
    [["each", {class: "bagging", opacity: 0.4}], ["mean", {class: "boosting"}], ["truth", {class: "outline", "stroke-dasharray": "7 4"}]].forEach(([name, look], i) => {
      drawn += line([[92 * i, 30], [92 * i + 26, 30]], look) + text(92 * i + 32, 34, name);
    });
    if (state.chosen) drawn += narrow ? text(0, 54, "examples of one set: ● class 1, ○ class 0") : text(272, 34, "● and ○ of one set");
    for (const y of [0, 0.5, 1]) drawn += text(24, up(y) + 4, number(y), {"text-anchor": "end"}) + el("line", {x1: 30, x2: end - 6, y1: up(y), y2: up(y), class: y ? "guide" : "axis"});
    for (const x of [0, 0.5, 1]) drawn += text(at(x), high + 18, number(x), {"text-anchor": "middle"}) + el("line", {x1: at(x), x2: at(x), y1: high, y2: high + 4, class: "axis"});
    curves.forEach(values => { drawn += curve(values.map(v => v / 100), {class: "bagging", opacity: state.chosen ? 0.08 : 0.22}); });
    if (state.chosen) {
      drawn += curve(curves[state.chosen - 1].map(v => v / 100), {class: "bagging"});
      const [x, classes] = data.examples[state.chosen - 1];
      x.forEach((place, i) => { drawn += el("circle", {cx: at(place), cy: up(classes[i]), r: 3.5, class: classes[i] ? "ink" : "hollow"}); });
    }
    drawn += curve(data.truth, {class: "outline", "stroke-dasharray": "7 4"}) + curve(parts(state.by, data)[state.depth].mean, {class: "boosting"});

    const left = narrow ? 30 : 448, y0 = narrow ? high + 30 : 0, floor = y0 + (narrow ? 172 : high), rise = scale([0, 0.2], [floor, y0 + 48]);
    drawn += text(left - 30, y0 + 14, "squared error, by depth", {class: "strong"});
    drawn += el("rect", {x: left - 30, y: y0 + 24, width: 11, height: 11, class: "boosting"}) + text(left - 14, y0 + 34, "bias²");
    drawn += el("rect", {x: left + 44, y: y0 + 24, width: 11, height: 11, class: "bagging"}) + text(left + 60, y0 + 34, "variance");
    for (const y of [0, 0.1, 0.2]) drawn += text(left - 6, rise(y) + 4, number(y), {"text-anchor": "end"}) + el("line", {x1: left, x2: width, y1: rise(y), y2: rise(y), class: y ? "guide" : "axis"});
    const wide = (width - left) / data.depths.length;
    parts(state.by, data).forEach(({bias, variance}, d) => {
      const x = left + d * wide + 4, isChosen = d === state.depth, opacity = isChosen ? 1 : 0.45;
      drawn += el("rect", {x, y: rise(bias), width: wide - 8, height: floor - rise(bias), class: "boosting", opacity});
      drawn += el("rect", {x, y: rise(bias + variance), width: wide - 8, height: rise(bias) - rise(bias + variance), class: "bagging", opacity});
      drawn += text(x + wide / 2 - 4, floor + 18, data.depths[d], {"text-anchor": "middle", class: isChosen ? "strong" : ""});
    });
    return svg(width, floor + 24, "What trees from many training sets say on a line, their mean and the truth; bias and variance by depth", drawn);
  };

  oza.piece("spread", {
    pure: {decompose},
    state: {depth: 1, by: "one", chosen: 0},
    controls: data => [
      {kind: "range", name: "depth", label: "Depth of the trees", min: 0, max: data.depths.length - 1, show: d => number(data.depths[d])},
      {kind: "select", name: "by", label: "Each training set gives", options: [["one", "one tree"],
        ["bagged", `${data.trees} bagged trees, averaged`], ["fresh", `${data.trees} trees from fresh sets, averaged`]]},
      {kind: "button", label: "Show one training set", press: state => { state.chosen = state.chosen % data.examples.length + 1; }},
    ],
    draw,
    say: (state, data) => {
      const {bias, variance} = parts(state.by, data)[state.depth], one = parts("one", data)[state.depth], depth = data.depths[state.depth];
      const errors = parts(state.by, data).map(part => part.bias + part.variance), least = data.depths[errors.indexOf(Math.min(...errors))];
      const who = {one: `Trees of depth ${depth}`, bagged: `Bags of ${data.trees} trees of depth ${depth}`, fresh: `Averages of ${data.trees} trees of depth ${depth} from fresh sets`}[state.by];
      return `${who} have the squared error ${number(bias + variance, 3)}: bias² ${number(bias, 3)} (their mean misses the truth) plus variance ${number(variance, 3)} (they differ). ` +
        (state.by === "one" ? "" : `One tree has bias² ${number(one.bias, 3)} and variance ${number(one.variance, 3)}. `) + `The error is least at depth ${least}.`;
    },
  });
})();

/* Online bagging: how many copies of an example a model learns, in batch and online. */
"use strict";
(() => {
  const {el, text, svg, scale, number} = oza;

  /** Probabilities of 0 to `most` copies, Binomial(n, 1/n) and Poisson(1). */
  const compute = (n, most = 60) => {
    const binomial = [], poisson = [];
    let b = Math.exp(n * Math.log1p(-1 / n)), p = Math.exp(-1);
    for (let k = 0; k <= most; k++) {
      binomial.push(b);
      poisson.push(p);
      b = k < n ? b * (n - k) / (k + 1) / (n - 1) : 0;
      p /= k + 1;
    }
    return {binomial, poisson};
  };

  /** Their total variation distance. */
  const distance = n => {
    const {binomial, poisson} = compute(n);
    return binomial.reduce((sum, b, k) => sum + Math.abs(b - poisson[k]), 0) / 2;
  };

  /** The bound of Barbour and Hall on that distance. */
  const bound = n => (1 - Math.exp(-1)) / n;

  const chips = 10;
  const sum = list => list.reduce((a, b) => a + b, 0);
  const dealt = (state, data) => data.deals[state.deal % data.deals.length][state.scheme];

  const picture = (state, data, narrow) => {
    const width = narrow ? 312 : 654, {binomial, poisson} = compute(state.n);
    const high = 190, right = width - 4, most = 6;
    const at = scale([0, most], narrow ? [56, right - 16] : [80, right - 30]), up = scale([0, 0.5], [high, 34]), half = narrow ? 13 : 26;
    let drawn = text(4, 14, "how probable each number of copies is", {class: "strong"});
    for (const p of [0, 0.25, 0.5]) {
      drawn += text(4, up(p) + (p ? 4 : 0), number(p)) + el("line", {x1: narrow ? 38 : 46, x2: right, y1: up(p), y2: up(p), class: p ? "guide" : "axis"});
    }
    for (let k = 0; k <= most; k++) {
      drawn += el("rect", {x: at(k) - half, y: up(binomial[k]), width: half - 1, height: high - up(binomial[k]), class: "single"});
      drawn += el("rect", {x: at(k) + 1, y: up(poisson[k]), width: half - 1, height: high - up(poisson[k]), class: "bagging"});
      drawn += text(at(k), high + 18, k, {"text-anchor": "middle"});
    }
    drawn += text(width / 2, high + 36, "copies of an example that a model learns", {"text-anchor": "middle", class: "quiet"});
    const legend = narrow ? 120 : 400;
    drawn += el("rect", {x: legend, y: 42, width: 12, height: 12, class: "single"}) + text(legend + 18, 53, "batch: Binomial(N, 1/N)");
    drawn += el("rect", {x: legend, y: 62, width: 12, height: 12, class: "bagging"}) + text(legend + 18, 73, "online: Poisson(1)");

    const top = high + 66, wide = (width - 120) / chips, copies = dealt(state, data);
    drawn += text(4, top, `${narrow ? "" : "ten examples, "}dealt ${state.scheme === "batch" ? "in batch" : "online"}: a dot is a copy`, {class: "strong"});
    for (let i = 0; i < chips; i++) drawn += text(62 + (i + 0.5) * wide, top + 20, i + 1, {"text-anchor": "middle", class: "quiet"});
    copies.forEach((row, m) => {
      const y = top + 28 + 34 * m;
      drawn += text(4, y + 20, `model ${m + 1}`);
      row.forEach((k, i) => {
        drawn += el("rect", {x: 62 + i * wide, y, width: wide - 2, height: 30, class: "band"});
        for (let c = 0; c < k; c++) {
          drawn += el("circle", {cx: 62 + (i + 0.5) * wide - 1, cy: y + 25.5 - 6.5 * c, r: 3, class: state.scheme === "batch" ? "single" : "bagging"});
        }
      });
      drawn += text(right, y + 20, sum(row), {"text-anchor": "end", class: sum(row) === chips ? "" : "strong"});
    });
    drawn += text(right, top + 20, "total", {"text-anchor": "end", class: "quiet"});
    return svg(width, top + 134, "Number of copies: binomial and Poisson probabilities, and copies dealt to three models", drawn);
  };

  oza.piece("poisson", {
    pure: {compute, distance, bound},
    state: {n: 10, scheme: "online", deal: 0},
    controls: data => [
      {kind: "range", name: "n", label: "Training examples N, for the bars", values: data.sizes},
      {kind: "select", name: "scheme", label: "Ten examples are dealt", options: [["online", "online"], ["batch", "in batch"]]},
      {kind: "button", label: "Deal again", press: state => { state.deal++; }},
    ],
    draw: picture,
    say: (state, data) => {
      const totals = dealt(state, data).map(sum);
      return `With N = ${number(state.n)}, the distributions differ by ${number(distance(state.n), 5)} in total variation, half the sum of the gaps between bars, ` +
        `below the bound (1 − 1/e)/N = ${number(bound(state.n), 5)}. Dealt ${state.scheme === "batch" ? "in batch" : "online"}, the three models ` +
        `learn ${totals[0]}, ${totals[1]} and ${totals[2]} copies of ${chips} examples.`;
    },
  });
})();

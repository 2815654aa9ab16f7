/* Leveraging bagging: what the mean weight λ does to the copies that models learn, and to trees on a stream. */
"use strict";
(() => {
  const {el, text, svg, scale, number, line} = oza;

  /** Probabilities of 0 to `most` copies, Poisson(λ). */
  const poisson = (lam, most) => {
    const found = [Math.exp(-lam)];
    for (let k = 1; k <= most; k++) found.push(found[k - 1] * lam / k);
    return found;
  };
  /** Share of examples that a model leaves out, and the deviation of its weights in per cent of their mean. */
  const facts = lam => ({out: Math.exp(-lam), deviation: 100 / Math.sqrt(lam)});

  const percent = x => x < 0.0005 ? "less than 0.1 %" : `${number(100 * x, 1)} %`;
  const MOST = 24, MODELS = 6;
  const LINES = [["one tree is right", {class: "single", "stroke-dasharray": "7 4"}], ["the vote is right", {class: "stream"}],
    ["two trees disagree", {class: "boosting", "stroke-dasharray": "2 3"}]];

  const draw = (state, data, narrow) => {
    const width = narrow ? 312 : 654, lam = data.lams[state.lam], right = width - 4, shares = poisson(lam, MOST);
    const at = scale([0, MOST], [44, right - 12]), high = 122, top = Math.max(...shares) > 0.45 ? 0.8 : 0.4, up = scale([0, top], [high, 30]);
    let drawn = text(0, 14, narrow ? "copies of an example, and how probable" : "how many copies of an example a model learns, and how probable that is", {class: "strong"});
    for (const p of [0, top / 2, top]) drawn += text(34, up(p) + 4, number(p), {"text-anchor": "end"}) + el("line", {x1: 40, x2: right, y1: up(p), y2: up(p), class: p ? "guide" : "axis"});
    const half = narrow ? 4 : 9;
    shares.forEach((p, k) => {
      drawn += el("rect", {x: at(k) - half, y: up(p), width: 2 * half, height: high - up(p), class: k ? "stream" : "bad"});
      if (k % 4 === 0) drawn += text(at(k), high + 18, k, {"text-anchor": "middle"});
    });
    drawn += text(right, 44, `left out: ${percent(facts(lam).out)}`, {"text-anchor": "end", class: "bad"});

    const start = high + 44, columns = narrow ? 8 : 16, wide = (width - 70) / columns, rows = data.deals[state.lam][state.deal];
    drawn += text(0, start, narrow ? "copies of 8 examples" : `copies that ${MODELS} models learn of ${columns} examples, one column each; the tint is relative to λ`, {class: "strong"});
    for (let m = 0; m < MODELS; m++) {
      const y = start + 12 + 25 * m;
      drawn += text(0, y + 17, `model ${m + 1}`);
      for (let i = 0; i < columns; i++) {
        const k = rows[i][m], x = 66 + i * wide;
        drawn += el("rect", {x, y, width: wide - 2, height: 23, class: "band"});
        drawn += el("rect", {x, y, width: wide - 2, height: 23, class: "stream", opacity: Math.min(0.5, k / lam / 5)});
        drawn += text(x + wide / 2 - 1, y + 17, k, {"text-anchor": "middle", class: k ? "" : "strong bad"});
      }
    }

    const below = start + 12 + 25 * MODELS + 26, high2 = below + (narrow ? 190 : 160), over = scale([0, 1], [high2, high2 - 120]);
    const place = scale([0, data.lams.length - 1], [44, right - 16]);
    drawn += text(0, below, narrow ? `after ${number(data.learned)} examples of a stream, %` : `${data.trees} Hoeffding trees after ${number(data.learned)} examples of a stream without drift, in %, by λ`, {class: "strong"});
    LINES.forEach(([name, look], i) => {
      const left = narrow ? 0 : 218 * i, y = below + 20 + (narrow ? 18 * i : 0);
      drawn += line([[left, y - 4], [left + 26, y - 4]], look) + text(left + 32, y, `${name}: ${percent(data.results[state.lam][i])}`);
    });
    for (const y of [0, 0.5, 1]) drawn += text(34, over(y) + 4, 100 * y, {"text-anchor": "end"}) + el("line", {x1: 40, x2: right, y1: over(y), y2: over(y), class: y ? "guide" : "axis"});
    data.lams.forEach((l, i) => { drawn += text(place(i), high2 + 18, narrow && i === 0 ? "¼" : number(l), {"text-anchor": "middle", class: i === state.lam ? "strong" : ""}); });
    drawn += el("line", {x1: place(state.lam), x2: place(state.lam), y1: high2 - 120, y2: high2, class: "axis"});
    LINES.forEach(([, look], i) => {
      drawn += line(data.results.map((row, l) => [place(l), over(row[i])]), look);
      drawn += el("circle", {cx: place(state.lam), cy: over(data.results[state.lam][i]), r: 4, class: look.class});
    });
    return svg(width, high2 + 26, "Probabilities of the numbers of copies, copies dealt to six models, and trees on a stream by λ", drawn);
  };

  oza.piece("leverage", {
    pure: {poisson, facts},
    state: {lam: 2, deal: 0},
    controls: data => [
      {kind: "range", name: "lam", label: "Mean copies λ", min: 0, max: data.lams.length - 1,
        show: i => number(data.lams[i]) + ({1: " (online bagging)", 6: " (leveraging)"}[data.lams[i]] ?? "")},
      {kind: "button", label: "Deal again", press: state => { state.deal = (state.deal + 1) % data.deals[0].length; }},
    ],
    draw,
    say: (state, data) => {
      const lam = data.lams[state.lam], {out, deviation} = facts(lam), [tree, vote, apart, leaves] = data.results[state.lam];
      return `With λ = ${number(lam)}, a model leaves out ${percent(out)} of the examples, and the numbers of copies deviate by ${number(deviation, 0)} % of their mean. ` +
        `A tree then has ${number(leaves, 0)} ${number(leaves, 0) === "1" ? "leaf" : "leaves"} and is right on ${percent(tree)}; two trees disagree on ${percent(apart)}, ` +
        `and the vote is right on ${percent(vote)}, ${number(100 * Math.abs(vote - tree), 1)} points ${vote < tree ? "below" : "above"} a tree.`;
    },
  });
})();

/* Ways of boosting online: one stream passes through three rules, by which its weight changes from tree to tree. */
"use strict";
(() => {
  const {el, text, svg, scale, axis, line, number, bits} = oza;

  /** The λ with which each example reaches each model, [m][n], from isRight[m][n], by the rule of the thesis. */
  const thesis = isRight => {
    let next = isRight[0].map(() => 1);
    return isRight.map(row => {
      const lam = next;
      let right = 0, wrong = 0;
      next = lam.map((weight, n) => {
        if (row[n]) right += weight; else wrong += weight;
        const error = wrong / (right + wrong);
        return weight / (2 * (row[n] ? 1 - error : error));
      });
      return lam;
    });
  };

  /** The same by OSBoost: min{(1 − γ)^(z / 2), 1}, where z is how far the votes are ahead of a gain of θ each. */
  const smooth = (isRight, gamma) => {
    const theta = gamma / (2 + gamma), z = isRight[0].map(() => 0);
    return isRight.map(row => row.map((right, n) => {
      const weight = Math.min(Math.pow(1 - gamma, z[n] / 2), 1);
      z[n] += (right ? 1 : -1) - theta;
      return weight;
    }));
  };

  /** How likely it is that exactly k of `left` votes are correct, as a share of the most likely k. */
  const likely = (left, k, gamma) => {
    if (k < 0 || k > left) return 0;
    const odds = (0.5 + gamma) / (0.5 - gamma), mode = Math.min(Math.floor((left + 1) * (0.5 + gamma)), left);
    let found = 1;
    for (let i = mode; i < k; i++) found *= odds * (left - i) / (i + 1);
    for (let i = mode; i > k; i--) found *= i / (odds * (left - i + 1));
    return found;
  };

  /** The same by Online BBM: how likely the vote of this model is to decide the majority. */
  const majority = (isRight, gamma) => {
    const s = isRight[0].map(() => 0);
    return isRight.map((row, m) => row.map((right, n) => {
      const left = isRight.length - m - 1, weight = likely(left, Math.floor((left + 1 - s[n]) / 2), gamma);
      s[n] += right ? 1 : -1;
      return weight;
    }));
  };

  /** Of each model the share of wrong labels in the weight that the first `seen` examples brought to it. */
  const shares = (weights, isWrong, seen) => weights.map(row => {
    let wrong = 0, all = 0;
    for (let n = 0; n < seen; n++) { all += row[n]; wrong += isWrong[n] * row[n]; }
    return all > 0 ? wrong / all : 0;
  });

  const NAMES = ["The thesis’s way", "OSBoost", "Online BBM"], KINDS = ["boosting", "primed", "bagging"];
  let known = null;
  const stream = data => known ??= (() => {
    const isRight = data.right.map(hex => bits(hex, data.examples)), isWrong = bits(data.wrong, data.examples);
    return {isRight, isWrong, ways: [thesis(isRight), smooth(isRight, data.gamma), majority(isRight, data.gamma)]};
  })();

  const HIGH = 344, WIDE = 196, MOST = 16;
  const draw = (state, data, narrow) => {
    const {isRight, isWrong, ways} = stream(data), n = state.seen - 1, models = isRight.length;
    const panel = (i) => {
      const left = (narrow ? 0 : i * (WIDE + 33)) + 48, top = narrow ? i * (HIGH + 18) : 0, right = left + (narrow ? 252 : WIDE - 48);
      const x = scale([1, models], [left + 10, right - 10]), kind = KINDS[i];
      const y = scale([1 / MOST, MOST], [top + 156, top + 46], "log"), below = scale([0, 1], [top + HIGH - 46, top + 214]);
      const held = weight => Math.min(Math.max(weight, 1 / MOST), MOST);
      const grid = (at, show, ticks) => ticks.map(t => el("line", {x1: left, x2: right, y1: at(t), y2: at(t), class: "guide"}) +
        text(left - 6, at(t) + 4, show(t), {"text-anchor": "end", class: "quiet"})).join("");
      const bars = ways[i].map((row, m) => {
        const at = y(held(row[n])), cx = x(m + 1), cy = top + 170;
        return el("rect", {x: cx - 3.5, y: Math.min(at, y(1)), width: 7, height: Math.max(Math.abs(at - y(1)), 1), class: kind}) +
          (isRight[m][n] ? el("circle", {cx, cy, r: 1, class: "ink"}) : el("path", {d: `M${(cx - 3).toFixed(2)} ${cy - 3}l6 6m0-6l-6 6`, class: "outline"}));
      }).join("");
      const found = shares(ways[i], isWrong, state.seen), truth = shares([isWrong.map(() => 1)], isWrong, state.seen)[0];
      return text(left - 48, top + 16, NAMES[i], {class: `strong ${kind}`}) + text(left - 48, top + 36, "weight of the example", {class: "quiet"}) +
        grid(y, t => t === 1 / MOST ? "1/16" : number(t), [1 / MOST, 1, MOST]) + bars +
        text(left - 48, top + 202, "weight on wrong labels so far", {class: "quiet"}) + grid(below, t => `${number(100 * t)} %`, [0, 0.5, 1]) +
        line([[left, below(truth)], [right, below(truth)]], {class: "single"}) +
        line(found.map((share, m) => [x(m + 1), below(share)]), {class: kind}) +
        axis(x, [1, Math.ceil(models / 2), models], top + HIGH - 46) +
        text((left + right) / 2, top + HIGH - 10, "tree", {"text-anchor": "middle", class: "quiet"});
    };
    const label = "Three panels, one for each way: the weight with which the example reaches each tree, and the share of wrong labels in the weight so far";
    const drawn = [0, 1, 2].map(panel).join("");
    return narrow ? svg(312, 3 * HIGH + 36, label, drawn) : svg(654, HIGH, label, drawn);
  };

  oza.piece("ways", {
    pure: {bits, thesis, smooth, majority, shares},
    state: {seen: 390},
    controls: data => [
      {kind: "range", name: "seen", label: "Example", min: 1, max: data.examples},
      {kind: "button", label: "Next wrong label", press: state => {
        const {isWrong} = stream(data), next = isWrong.indexOf(1, state.seen);
        state.seen = (next >= 0 ? next : isWrong.indexOf(1)) + 1;
      }},
      {kind: "play", label: "Play", every: 120, press: state => {
        state.seen = state.seen % data.examples + 1;
        return state.seen < data.examples;
      }},
    ],
    draw,
    say: (state, data) => {
      const {isRight, isWrong, ways} = stream(data), n = state.seen - 1, last = isRight.length - 1;
      const wrongs = isRight.filter(row => !row[n]).length, percent = x => `${number(100 * x, 0)} %`;
      const weights = ways.map(way => number(way[last][n], 2)), found = ways.map(way => percent(shares(way, isWrong, state.seen)[last]));
      return `Example ${state.seen} has a ${isWrong[n] ? "wrong" : "right"} label, with which ${wrongs} of ${last + 1} trees disagree before they learn it. ` +
        `It reaches the last tree with a weight of ${weights[0]} by the thesis’s rule, ${weights[1]} by OSBoost’s and ${weights[2]} by Online BBM’s. ` +
        `So far, wrong labels are ${percent(shares([isWrong.map(() => 1)], isWrong, state.seen)[0])} of the examples, and ` +
        `${found[0]}, ${found[1]} and ${found[2]} of the weight that reached the last tree.`;
    },
  });
})();

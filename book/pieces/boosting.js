/* Online boosting: an example passes the models, and its weight λ follows AdaBoost's rule. */
"use strict";
(() => {
  const {el, text, svg, number} = oza;

  /** λ before each model, and sums and errors after it, of examples that models got right (1) or wrong (0).

  From isRight[n][m]; by the update of the thesis: λ / (2 (1 − ε)) if right, λ / (2 ε) if wrong. */
  const compute = isRight => {
    const models = isRight[0].length, right = Array(models).fill(0), wrong = Array(models).fill(0);
    return isRight.map(row => {
      let lam = 1;
      return row.map((isRight, m) => {
        const before = lam;
        if (isRight) right[m] += lam; else wrong[m] += lam;
        const error = wrong[m] / (right[m] + wrong[m]);
        lam = isRight ? lam / (2 * (1 - error)) : lam / (2 * error);
        return {lam: before, next: lam, right: right[m], wrong: wrong[m], error};
      });
    });
  };

  const tested = state => state.before ? "before" : "after";
  const base = state => state.models === "tree" ? "tree" : "bayes";
  const passages = {};
  const through = (base, tested, data) => passages[base + tested] ??= compute(data.right[base][tested]);
  const passage = (state, data) => through(base(state), tested(state), data);
  const MODELS = 4;
  const where = state => [Math.floor((state.t - 1) / MODELS), (state.t - 1) % MODELS];

  const draw = (state, data, narrow) => {
    const trace = passage(state, data), [n, m] = where(state);
    const wide = 150, columns = narrow ? 2 : 4, width = narrow ? 312 : 654, gap = (width - columns * wide) / (columns - 1);
    const high = 282, side = lam => 34 * Math.sqrt(lam);
    let drawn = "";
    for (let j = 0; j < MODELS; j++) {
      const left = (j % columns) * (wide + gap), top = Math.floor(j / columns) * (high + 12);
      const passed = j <= m, last = trace[passed ? n : n - 1]?.[j], {lam} = trace[n][j];
      const x = left + wide / 2, y = top + 84;
      drawn += el("rect", {x: left, y: top, width: wide, height: high, class: "band", rx: 4, opacity: j === m ? 1 : 0.55});
      drawn += text(left + 8, top + 20, `model ${j + 1}`, {class: "strong"});
      if (passed) {
        const size = Math.min(side(lam), 120), isRight = data.right[base(state)][tested(state)][n][j];
        drawn += el("rect", {x: x - size / 2, y: y - size / 2, width: size, height: size, class: isRight ? "good" : "bad", opacity: 0.85});
        drawn += text(left + wide - 8, top + 20, isRight ? "✓ right" : "✗ wrong", {"text-anchor": "end", class: isRight ? "good" : "bad"});
        drawn += text(left + 8, top + 166, `λ = ${number(lam, 3)}`);
        const k = data.copies[base(state)][tested(state)][n][j];
        drawn += text(left + wide - 8, top + 166, k === 1 ? "1 copy" : `${k} copies`, {"text-anchor": "end"});
      } else {
        drawn += text(left + 8, top + 166, "waits", {class: "quiet"});
      }
      if (state.models === "hindsight") {
        const size = Math.min(side(data.batch[n][j]), 120);
        drawn += el("rect", {x: x - size / 2, y: y - size / 2, width: size, height: size, fill: "none", class: "outline"});
        drawn += text(left + 8, top + 184, `AdaBoost: ${number(data.batch[n][j], 3)}`);
      }
      if (last) {
        const whole = wide - 16, share = last.error;
        drawn += el("rect", {x: left + 8, y: top + 196, width: whole * (1 - share), height: 14, class: "good"});
        drawn += el("rect", {x: left + 8 + whole * (1 - share), y: top + 196, width: whole * share, height: 14, class: "bad"});
        drawn += el("line", {x1: x, x2: x, y1: top + 192, y2: top + 214, class: "axis"});
        drawn += text(left + 8, top + 230, `✓ ${number(last.right, 1)}`, {class: "good"}) + text(x, top + 250, `share of ✗: ε = ${number(last.error, 3)}`, {"text-anchor": "middle"});
        drawn += text(x, top + 272, `mean λ so far ${number((last.right + last.wrong) / (passed ? n + 1 : n), 2)}`, {"text-anchor": "middle", class: "strong"});
        drawn += text(left + wide - 8, top + 230, `✗ ${number(last.wrong, 1)}`, {"text-anchor": "end", class: "bad"});
      }
    }
    return svg(width, narrow ? 2 * high + 12 : high, "Four models: the weight λ of the example before each, the copies learned, and the weights classified rightly and wrongly so far", drawn);
  };

  oza.piece("boosting", {
    pure: {compute},
    state: {t: 120 * MODELS, models: "bayes", before: false},
    controls: data => {
      const end = data.labels.length * MODELS;
      const by = steps => state => { state.t = Math.min(end, Math.max(1, state.t + steps)); return state.t < end; };
      return [
        {kind: "button", label: "Back", press: by(-1), optional: state => state.t > 1},
        {kind: "button", label: "Next", press: by(1), optional: state => state.t < end},
        {kind: "play", label: "Play", press: by(1), every: 600, optional: state => state.t < end},
        {kind: "range", name: "t", label: "Step", min: 1, max: end,
          show: t => `example ${Math.floor((t - 1) / MODELS) + 1}, model ${(t - 1) % MODELS + 1}`},
        {kind: "select", name: "models", label: "Models", options: [["bayes", "Naive Bayes"],
          ["hindsight", "Naive Bayes, with AdaBoost’s weights"], ["tree", "trees, which memorise"]]},
        {kind: "check", name: "before", label: "Test before learning"},
      ];
    },
    draw,
    say: (state, data) => {
      const [n, m] = where(state), now = passage(state, data)[n][m], isRight = data.right[base(state)][tested(state)][n][m];
      const k = data.copies[base(state)][tested(state)][n][m], learned = k === 1 ? "1 copy" : `${k} copies`;
      const [after, before] = ["after", "before"].map(tested => { const {right, wrong} = through(base(state), tested, data)[n][m]; return number((right + wrong) / (n + 1), 2); });
      return `Example ${n + 1} of ${data.labels.length} reaches model ${m + 1} with the weight λ = ${number(now.lam, 3)}; the model learns ${learned} and ` +
        `${isRight ? "is right" : "is wrong"}. The wrong share of all its weight so far is ε = ${number(now.error, 3)}, so λ becomes ` +
        `${number(now.lam, 3)} / (2 × ${number(isRight ? 1 - now.error : now.error, 3)}) = ${number(now.next, 3)}. So far the mean λ at this model is ${after} if models are tested after learning, ${before} if before.`;
    },
  });
})();

/* Memorisation: trees that are boosted online, examples with wrong labels, and two moments of the test. */
"use strict";
(() => {
  const {el, text, svg, scale, axis, line, number, bits} = oza;

  /** Of each tree the λ with which every example reaches it, and the error in the end, from isRight[m][n].

  By the update of the thesis: λ / (2 (1 − ε)) if right, λ / (2 ε) if wrong. */
  const compute = isRight => {
    let next = isRight[0].map(() => 1);
    return isRight.map(row => {
      const lam = next;
      let right = 0, wrong = 0;
      next = lam.map((weight, n) => {
        if (row[n]) right += weight; else wrong += weight;
        const error = wrong / (right + wrong);
        return weight / (2 * (row[n] ? 1 - error : error));
      });
      return {lam, error: wrong / (right + wrong)};
    });
  };

  /** The share of the examples with a wrong label about whose label a tree is right; NaN if there are none. */
  const agreement = (isRight, isWrong) => {
    const found = isRight.filter((_, n) => isWrong[n]);
    return found.reduce((sum, x) => sum + x, 0) / found.length;
  };

  const median = values => {
    const sorted = [...values].sort((a, b) => a - b), half = sorted.length / 2;
    return (sorted[Math.floor(half - 0.5)] + sorted[Math.floor(half)]) / 2;
  };

  const seen = {};
  /** What is drawn and said of one share of wrong labels and one moment of the test. */
  const summary = (state, data) => seen[state.share + " " + state.remedy] ??= (() => {
    const at = data.shares.indexOf(state.share), tested = state.remedy ? "before" : "after", run = data.runs[tested][at];
    const rows = Object.fromEntries(["before", "after"].map(when => [when, run[when].map(hex => bits(hex, data.examples))]));
    const isWrong = bits(data.wrong[at], data.examples), trees = compute(rows[tested]);
    const agrees = when => rows[when].map(row => agreement(row, isWrong));
    return {before: agrees("before"), after: agrees("after"), lam: trees.map(tree => median(tree.lam)),
      counted: trees.map(tree => tree.error), alone: run.alone, vote: run.vote, voting: run.voting, single: data.single[at]};
  })();

  const HIGH = 232, WIDE = 196;
  const draw = (state, data, narrow) => {
    const found = summary(state, data), n = found.vote.length, percent = x => `${number(100 * x, 0)} %`;
    const panel = (i, title, low, high, ticks, show, keys, content) => {
      const left = (narrow ? 0 : i * (WIDE + 33)) + 48, top = narrow ? i * (HIGH + 18) : 0, right = left + (narrow ? 252 : WIDE - 48);
      const x = scale([1, n], [left + 10, right - 10]), y = scale([low, high], [top + HIGH - 46, top + 56]);
      return text(left - 48, top + 16, title, {class: "strong"}) +
        keys.map(([key, kind], k) => text(left - 48 + k * 104, top + 36, key, {class: kind})).join("") +
        ticks.map(t => el("line", {x1: left, x2: right, y1: y(t), y2: y(t), class: "guide"}) +
          text(left - 6, y(t) + 4, show(t), {"text-anchor": "end", class: "quiet"})).join("") +
        axis(x, [1, Math.ceil(n / 2), n], top + HIGH - 46) + text((left + right) / 2, top + HIGH - 10, "tree", {"text-anchor": "middle", class: "quiet"}) +
        content(x, y, left, right);
    };
    const path = (values, x, y, kind) => line(values.map((value, m) => [x(m + 1), y(value)]), {class: kind});
    const drawn = panel(0, "Agrees with a wrong label", 0, 1, [0, 0.5, 1], percent, [["━ before", "single"], ["━ right after", "boosting"]],
      (x, y, left, right) => state.share === 0 ? text((left + right) / 2, y(0.7), "no label is wrong", {"text-anchor": "middle", class: "quiet"})
        : path(found.before, x, y, "single") + path(found.after, x, y, "boosting")) +
    panel(1, "Weight λ of an example", 0, 1, [0, 0.5, 1], number, [["▮ median", "boosting"]],
      (x, y) => found.lam.map((lam, m) => el("rect", {x: x(m + 1) - 4, y: y(Math.min(lam, 1)), width: 8, height: y(0) - y(Math.min(lam, 1)), class: "boosting"})).join("")) +
    panel(2, "Right about new examples", 0.5, 1, [0.5, 0.75, 1], percent, [["━ one tree", "single"], ["━ vote so far", "boosting"]],
      (x, y, left, right) => line([[left, y(found.single)], [right, y(found.single)]], {class: "single"}) + path(found.vote, x, y, "boosting"));
    const label = "Three panels over ten trees: how often they agree with wrong labels, the median weight λ, and how often their vote is right about new examples";
    return narrow ? svg(312, 3 * HIGH + 36, label, drawn) : svg(654, HIGH, label, drawn);
  };

  oza.piece("memorisation", {
    pure: {bits, compute, agreement, median},
    state: {share: 20, remedy: false},
    controls: data => [
      {kind: "range", name: "share", label: "Wrong labels", values: data.shares, show: share => `${share} %`},
      {kind: "check", name: "remedy", label: "Test before learning"},
    ],
    draw,
    say: (state, data) => {
      const found = summary(state, data), last = found.vote.length - 1, percent = (x, digits = 0) => `${number(100 * x, digits)} %`;
      const lead = 100 * (found.vote[last] - found.single), gap = `${number(Math.abs(lead), 1)} points`;
      const verdict = Math.abs(lead) < 0.05 ? "Boosting and a single tree are equally accurate" : `Boosting ${lead < 0 ? "loses" : "gains"} ${gap} beside a single tree`;
      const first = state.share === 0 ? "no label is wrong, so there is nothing wrong to memorise"
        : `tree ${last + 1} agrees with ${percent(found.before[last])} of the wrong labels before it learns from them, and with ${percent(found.after[last])} right after`;
      return `${verdict}: ${first}. The error of tree ${last + 1} is counted as ${number(found.counted[last], 2)} and is ` +
        `${number(1 - found.alone[last], 2)} on new examples; half of the examples reach it with a λ below ${number(found.lam[last], 2)}.`;
    },
  });
})();
